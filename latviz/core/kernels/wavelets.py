"""Logarithms of the energies of filters: inverse Fourier transforms of filtered spectra.

Two axes are transformed in turn, sixteen columns at a time, which stay in the cache and are stored
in one piece: ``(n, 2, 16)``, real and imaginary parts. A length is 64 K, and a transform is three
passes, by K, 8 and 8. Each pass reads some rows, twists them, and writes their transform to the
same rows. So frequencies lie in the order of their digits read backwards, and pixels in their own.
"""

from math import cos, log, pi, sin

from llvmlite import ir

from latviz.core.kernels.compiler import njit
from latviz.core.kernels.lanes import FLAGS
from latviz.core.kernels.vectors import FLOAT, INT, LANES, LONG, llvm, loop, splat, turned, vector

WIDE = 16
"""Columns of a block: a line of the cache."""
HIGH = 8
"""Rows of a patch of logarithms: few, so that those of one pixel lie together."""
FIRST = 2, 3, 4, 5, 6, 7
"""Numbers K of rows that the first pass transforms."""
RADIX = 8
"""Rows that a later pass transforms."""
ROOT_HALF = 0x3F3504F3
"""The bits of the root of 1/2 in float32."""
LN_1P = (
    *(1.0, -0.5, 3.3333331174e-1, -2.4999993993e-1, 2.0000714765e-1, -1.6668057665e-1),
    *(1.4249322787e-1, -1.2420140846e-1, 1.1676998740e-1, -1.1514610310e-1, 7.0376836292e-2),
)
"""Coefficients of ln(1 + s) / s, rising, for 1 + s from root 1/2 to root 2 (Moshier, Cephes)."""


def plus(b, one, other):
    """Return the sum of complex vectors, which are pairs."""
    return tuple(b.fadd(x, y, flags=FLAGS) for x, y in zip(one, other, strict=True))


def minus(b, one, other):
    """Return the difference of complex vectors."""
    return tuple(b.fsub(x, y, flags=FLAGS) for x, y in zip(one, other, strict=True))


def scaled(b, value, factor):
    """Return a complex vector times a real number."""
    return tuple(b.fmul(part, vector(FLOAT, factor), flags=FLAGS) for part in value)


def product(b, value, other):
    """Return the product of complex vectors."""
    (x, y), (u, v) = value, other
    real = b.fsub(b.fmul(x, u, flags=FLAGS), b.fmul(y, v, flags=FLAGS), flags=FLAGS)
    return real, b.fadd(b.fmul(x, v, flags=FLAGS), b.fmul(y, u, flags=FLAGS), flags=FLAGS)


def quarter(b, value):
    """Return a complex vector times i."""
    return b.fsub(vector(FLOAT, -0.0), value[1]), value[0]


def rotated(b, value, k, n):
    """Return a complex vector times ``exp(2 pi i k / n)``."""
    if k == 0:
        return value
    if 4 * k == n:
        return quarter(b, value)
    return product(b, value, [vector(FLOAT, part(2 * pi * k / n)) for part in (cos, sin)])


def transformed(b, parts):
    """Return the inverse transform of a few complex vectors, without a factor."""
    n = len(parts)
    prime = next(p for p in (2, 3, 5, 7) if n % p == 0)
    if prime == n:
        return of_prime(b, parts)
    inner = [transformed(b, parts[q::prime]) for q in range(prime)]
    columns = [
        of_prime(b, [rotated(b, inner[q][j], j * q, n) for q in range(prime)])
        for j in range(n // prime)
    ]
    return [column[k] for k in range(prime) for column in columns]


def of_prime(b, parts):
    """Return the inverse transform of as many complex vectors as a prime number says."""
    n = len(parts)
    if n == 2:
        return [plus(b, *parts), minus(b, *parts)]
    pairs = [(parts[k], parts[n - k]) for k in range(1, n // 2 + 1)]
    even, odd = [plus(b, *pair) for pair in pairs], [minus(b, *pair) for pair in pairs]
    found = [parts[0]] * n
    for value in even:
        found[0] = plus(b, found[0], value)
    for j in range(1, n // 2 + 1):
        angles = [2 * pi * (j * k % n) / n for k in range(1, n // 2 + 1)]
        one, other = parts[0], scaled(b, odd[0], sin(angles[0]))
        for value, angle in zip(even, angles, strict=True):
            one = plus(b, one, scaled(b, value, cos(angle)))
        for value, angle in zip(odd[1:], angles[1:], strict=True):
            other = plus(b, other, scaled(b, value, sin(angle)))
        other = quarter(b, other)
        found[j], found[n - j] = plus(b, one, other), minus(b, one, other)
    return found


def as_is(_q, value):
    """Return a value that no factor twists."""
    return value


def place_of(b, row, lane):
    """Return the place of a number of a row of a block."""
    return b.add(b.mul(row, LONG(2 * WIDE)), LONG(lane))


def in_place(b, space, rows, twist):
    """Transform some rows, of which ``twist(q, value)`` has twisted the q-th."""
    for lane in range(0, WIDE, LANES):
        parts = [
            twist(q, tuple(space.load(place_of(b, row, lane + part)) for part in (0, WIDE)))
            for q, row in enumerate(rows)
        ]
        for row, value in zip(rows, transformed(b, parts), strict=True):
            for part, numbers in zip((0, WIDE), value, strict=True):
                space.store(place_of(b, row, lane + part), numbers)


@llvm()
def first_pass(b, space, start, n):
    """Transform K neighbouring rows at a time, of the n rows from start on."""
    for radix in FIRST:

        def group(row, radix=radix):
            rows = [b.add(row, LONG(q)) for q in range(radix)]
            in_place(b, space, rows, as_is)
            return []

        with b.if_then(b.icmp_signed("==", n, LONG(RADIX**2 * radix))):
            loop(b, start, b.add(start, n), radix, [], group)


@llvm()
def later_pass(b, space, start, twists, first, span, n_groups):
    """Transform eight rows at a time that are ``span`` apart, in groups of 8 span rows."""
    # twists from place ``first`` on: (span, 7, 2)
    factors = 2 * (RADIX - 1)

    def offset(j):
        place = b.add(first, b.mul(j, LONG(factors)))
        numbers = [splat(b, twists.number(b.add(place, LONG(k)))) for k in range(factors)]

        def twist(q, value):
            return product(b, value, numbers[2 * q - 2 : 2 * q]) if q else value

        def group(g):
            row = b.add(b.add(start, j), b.mul(g, b.mul(span, LONG(RADIX))))
            in_place(b, space, [b.add(row, b.mul(span, LONG(q))) for q in range(RADIX)], twist)
            return []

        loop(b, LONG(0), n_groups, 1, [], group)
        return []

    loop(b, LONG(0), span, 1, [], offset)


@llvm()
def multiply(b, spectrum, gains, start, n, space, room):
    """Write the products of n rows, from start on, to the rows from room on."""
    # spectrum (blocks, n, 2, 16) and gains (blocks, n, 16), flat

    def row(k):
        own, to = b.add(start, k), b.add(room, k)
        for lane in range(0, WIDE, LANES):
            gain = gains.load(b.add(b.mul(own, LONG(WIDE)), LONG(lane)))
            for part in (lane, lane + WIDE):
                value = spectrum.load(place_of(b, own, part))
                space.store(place_of(b, to, part), b.fmul(value, gain))
        return []

    loop(b, LONG(0), n, 1, [], row)


@llvm()
def exchange_axes(b, space, start, n_rows, column, n):
    """Write n_rows rows, from start on, as columns of blocks; their own columns become rows."""
    # space begins with the blocks (n_rows / 16, n, 2, 16); ``column`` is the row of the first
    # column. n_rows is a multiple of 16: lines of the cache are written as a whole

    def rows(k):
        first = b.add(start, k)
        to = b.add(b.mul(b.sdiv(k, LONG(WIDE)), n), column)
        for part in (0, WIDE):
            for lane in range(0, WIDE, LANES):
                for half in range(0, WIDE, LANES):
                    places = [
                        place_of(b, b.add(first, LONG(half + r)), part + lane) for r in range(LANES)
                    ]
                    for c, value in enumerate(turned(b, [space.load(p) for p in places])):
                        row = b.add(to, LONG(lane + c))
                        space.store(place_of(b, row, part + half), value)
        return []

    loop(b, LONG(0), n_rows, WIDE, [], rows)


def logarithm(b, x):
    """Return ln x of positive normal numbers of float32, to the last bits."""
    bits = b.bitcast(x, ir.VectorType(INT, LANES))
    unit = vector(INT, 23)
    exponent = b.ashr(b.sub(bits, vector(INT, ROOT_HALF)), unit)  # mantissas from root 1/2 on
    mantissa = b.bitcast(b.sub(bits, b.shl(exponent, unit)), x.type)
    s = b.fsub(mantissa, vector(FLOAT, 1.0))
    *others, value = (vector(FLOAT, c) for c in LN_1P)
    for coefficient in reversed(others):
        value = b.fadd(b.fmul(value, s, flags=FLAGS), coefficient, flags=FLAGS)
    twos = b.fmul(b.sitofp(exponent, x.type), vector(FLOAT, log(2.0)), flags=FLAGS)
    return b.fadd(b.fmul(value, s, flags=FLAGS), twos, flags=FLAGS)


@llvm()
def log_energies(b, space, start, height, floor, width, found, place, stride):
    """Write the logarithms of rows from start on to found: patches of 8 x 16, ``stride`` apart."""
    # Of their squared sizes plus ``floor``; 0 from row ``height`` and column ``width`` on
    least, end = splat(b, floor), b.trunc(width, INT)

    def row(y):
        own = b.add(start, y)
        patch, rest = b.sdiv(y, LONG(HIGH)), b.srem(y, LONG(HIGH))
        to = b.add(place, b.add(b.mul(patch, stride), b.mul(rest, LONG(WIDE))))
        some = splat(b, b.select(b.icmp_signed("<", y, height), end, INT(0)))
        for lane in range(0, WIDE, LANES):
            energy = least
            for part in (lane, lane + WIDE):
                value = space.load(place_of(b, own, part))
                energy = b.fadd(b.fmul(value, value, flags=FLAGS), energy, flags=FLAGS)
            inside = b.icmp_signed("<", vector(INT, range(lane, lane + LANES)), some)
            value = b.select(inside, logarithm(b, energy), vector(FLOAT, 0.0))
            found.store(b.add(to, LONG(lane)), value)
        return []

    n_rows = b.mul(b.sdiv(b.add(height, LONG(HIGH - 1)), LONG(HIGH)), LONG(HIGH))
    loop(b, LONG(0), n_rows, 1, [], row)


@njit(nogil=True)
def write_log_energies(spectrum, gains, across, down, reach, floor, space, shape, found, k):
    """Write ln(|x|^2 + floor) to found, x the inverse transform of the product spectrum * gains."""
    # All float32 and flat. The transform has the lengths (nx, ny) whose factors are across and
    # down, (126 K,), and x is without its first ``reach`` rows and columns. spectrum (ny / 16, nx,
    # 2, 16) and gains (ny / 16, nx, 16); shape (height, width, filters); found (blocks, bands,
    # filters, 8, 16), of which filter k is written; space (32 (nx + ny * blocks),): blocks of 16
    # columns of x, then the one in work. One loop is for both axes: the passes are compiled once
    height, width, n_filters = shape
    nx, ny = across.size // 126 * 64, down.size // 126 * 64
    n_first, n_last = ny // WIDE, -(-width // WIDE)
    room = n_last * ny
    for block in range(n_first + n_last):
        is_first, column = block < n_first, WIDE * (block - n_first)
        start, n = (room, nx) if is_first else ((block - n_first) * ny, ny)
        if is_first:
            multiply(spectrum, gains, block * nx, nx, space, room)
        first_pass(space, start, n)
        place, span, n_groups = 0, n // RADIX**2, RADIX
        for _ in range(2):
            later_pass(space, start, across if is_first else down, place, span, n_groups)
            place, span, n_groups = 14 * span, RADIX * span, 1
        if is_first:
            exchange_axes(space, room + reach, WIDE * n_last, WIDE * block, ny)
        else:
            start, stride, n_bands = start + reach, n_filters * HIGH * WIDE, -(-height // HIGH)
            place = (block - n_first) * n_bands * stride + k * HIGH * WIDE
            log_energies(space, start, height, floor, width - column, found, place, stride)
