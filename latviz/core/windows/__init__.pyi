from . import decoding as decoding
from . import leave_one_out as leave_one_out
