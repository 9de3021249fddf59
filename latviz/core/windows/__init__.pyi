from . import decoding as decoding
