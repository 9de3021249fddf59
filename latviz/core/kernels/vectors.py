"""Sweeps of a row in vectors of eight lanes, written as LLVM code.

Numba's vectoriser makes lanes of neighbours along a loop. Here the lanes are the eight sums of one
node, and each node's follow from those of the node before, so the vectors are spelled out: the
intrinsics of this module build LLVM's code. LLVM cuts the vectors into those of the machine; no
instruction of a particular machine is named.

``sums`` is flat: eight numbers a column, its sums over the window's rows, after ``reach + 1``
columns of zeros and before ``reach + 8``, so that no window has to be clipped, and the last eight
nodes may go past the row. One pass moves the columns to the next row and sweeps it: column ``x +
reach`` is moved when it enters the window of node x; ``x - reach - 1``, which leaves, was moved
before. The invariant of every loop is: before node x, ``total`` is the sum over the window of x -
1.

A reduction over the lanes of a node, the least or the sum, is done for eight nodes at once, by
three rounds that pair two vectors and leave one, until lane k belongs to node k.

All numbers are whole, in every type. Those that need more than 32 bits are stored in float64, exact
up to 2^53: all machines add, compare and convert these in vectors, 64-bit integers only some.

Column sums that are not swept may have the layout of a volume's slab: ``(W, 8 G)``, in G groups.

A row is either symbols ``(W,)``, each of which stands for eight numbers of a table ``(8 M,)`` of
the type of ``sums``, or integers ``(W, 8 G)`` in G groups of eight. If no row enters or leaves, its
table is zero, or the row itself.
"""

from functools import wraps

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 8
BYTE, INT, LONG = (ir.IntType(bits) for bits in (8, 32, 64))
FLOAT, DOUBLE = ir.FloatType(), ir.DoubleType()
BIAS = float(3 << 48)
"""Added to a number of whole eighths below 2^48, it leaves them in the last bits of the sum."""


def vector(kind, values):
    """Return a constant vector; one value stands for eight."""
    values = values if isinstance(values, (list, range)) else [values] * LANES
    number = int if isinstance(kind, ir.IntType) else float
    constants = [ir.Constant(kind, number(v)) for v in values]
    return ir.Constant(ir.VectorType(kind, len(constants)), constants)


def lane_type(numba_type):
    """Return LLVM's type of a number."""
    if isinstance(numba_type, types.Float):
        return DOUBLE if numba_type.bitwidth == 64 else FLOAT
    return ir.IntType(numba_type.bitwidth)


def llvm(result=types.void):
    """Return a decorator: kernels that call the function run the LLVM code that it builds."""
    # It gets the builder and the arguments, arrays as `Array` and numbers as LLVM's values, and
    # returns a value of the type ``result``

    def decorate(build):
        def lower(context, builder, signature, arguments):
            pairs = zip(signature.args, arguments, strict=True)
            values = [
                Array(context, builder, *pair) if isinstance(pair[0], types.Array) else pair[1]
                for pair in pairs
            ]
            value = build(builder, *values)
            return context.get_dummy_value() if value is None else value

        @wraps(build)
        def typed(_typingctx, *kinds):
            return result(*kinds), lower

        return intrinsic(typed)

    return decorate


class Array:
    """A contiguous array among the arguments of a function of `llvm`."""

    # ``type`` is Numba's type of the array, ``lane`` LLVM's type of its numbers

    def __init__(self, context, builder, numba_type, value):
        self.type, self.lane = numba_type, lane_type(numba_type.dtype)
        self._b, self._bytes = builder, numba_type.dtype.bitwidth // 8
        struct = context.make_array(numba_type)(context, builder, value)
        self._data = struct.data
        self.shape = [builder.extract_value(struct.shape, k) for k in range(numba_type.ndim)]

    def number(self, place):
        """Return one number."""
        return self._b.load(self._b.gep(self._data, [place]))

    def write_number(self, place, value):
        """Write one number."""
        self._b.store(value, self._b.gep(self._data, [place]))

    def load(self, place, lanes=LANES):
        """Return the numbers from a place on, as a vector."""
        value = self._b.load(self._pointer(place, lanes))
        value.align = self._bytes
        return value

    def store(self, place, value):
        """Write a vector of numbers from a place on."""
        self._b.store(value, self._pointer(place, value.type.count)).align = self._bytes

    def copied(self, place, n, lanes):
        """Return the ``n`` numbers from a place on in a vector of more lanes."""
        # Nothing is read beyond them
        room = cgutils.alloca_once(self._b, ir.VectorType(self.lane, lanes))
        first = self._b.gep(self._data, [place])
        cgutils.raw_memcpy(self._b, room, first, n, self._bytes)
        return self._b.load(room)

    def _pointer(self, place, lanes):
        kind = ir.VectorType(self.lane, lanes).as_pointer()
        return self._b.bitcast(self._b.gep(self._data, [place]), kind)


class Row:
    """A row that enters or leaves, and its nodes' terms in the column sums."""

    def __init__(self, builder, row, table, lane, group, lanes=LANES):
        self._b, self._row, self._table, self._lane, self._group = builder, row, table, lane, group
        self._lanes = lanes

    def load(self, x):
        """Return the numbers of a node, in the type of the column sums."""
        b, lanes = self._b, LONG(self._lanes)
        if self._row.type.ndim == 1:
            symbol = self._row.number(x)
            symbol = b.zext(symbol, LONG) if symbol.type.width < LONG.width else symbol
            return self._table.load(b.mul(symbol, lanes), self._lanes)
        place = b.add(b.mul(x, self._row.shape[1]), b.mul(self._group, lanes))
        return converted(b, self._row.load(place, self._lanes), self._lane)


def converted(b, value, lane):
    """Return whole numbers in another type of lanes."""
    kind = ir.VectorType(lane, value.type.count)
    if value.type == kind:
        return value
    if lane == DOUBLE:
        return b.sitofp(value, kind)
    narrower = value.type.element.width > lane.width
    return b.trunc(value, kind) if narrower else b.sext(value, kind)


def plus(b, one, other):
    """Return a sum of vectors."""
    return b.fadd(one, other) if one.type.element == DOUBLE else b.add(one, other)


def minus(b, one, other):
    """Return a difference of vectors."""
    return b.fsub(one, other) if one.type.element == DOUBLE else b.sub(one, other)


def times(b, one, other):
    """Return a product of vectors."""
    return b.fmul(one, other) if one.type.element == DOUBLE else b.mul(one, other)


def is_less(b, one, other, flags=()):
    """Return a mask of one vector less than another; the flags are for numbers of float64."""
    if one.type.element == DOUBLE:
        return b.fcmp_ordered("<", one, other, flags=flags)
    return b.icmp_signed("<", one, other)


def lesser(b, one, other):
    """Return the lesser of two vectors; in one step, as there is neither NaN nor -0."""
    return b.select(is_less(b, one, other, ("nnan", "nsz")), one, other)


def as_bits(b, value):
    """Return the bits of numbers as integers."""
    if value.type.element != DOUBLE:
        return value
    return b.bitcast(value, ir.VectorType(LONG, value.type.count))


def splat(b, value, lanes=LANES):
    """Return a vector of eight times a value, or of another number of times."""
    kind = ir.VectorType(value.type, lanes)
    one = b.insert_element(ir.Constant(kind, ir.Undefined), value, INT(0))
    return b.shuffle_vector(one, one, vector(INT, [0] * lanes))


def shuffled(b, one, other, places):
    """Return lanes of two vectors; places from eight on are those of the other."""
    return b.shuffle_vector(one, other, vector(INT, places))


def every(b, parts, first):
    """Return eight numbers of some vectors, as many places apart as there are vectors."""
    places = [divmod(first + len(parts) * lane, LANES) for lane in range(LANES)]
    found = parts[0]
    for k, part in enumerate(parts):
        own = [LANES + lane if place == k else at for at, (place, lane) in enumerate(places)]
        found = shuffled(b, found, part, own)
    return found


def of_eight_nodes(b, join, following):
    """Return a vector whose lane k joins all lanes of the k-th that ``following`` returns."""

    def joined(step):
        """Return the result of 8 / step vectors; lanes of a node differ in bits below ``step``."""
        if step == LANES:
            return following()
        one, other = joined(2 * step), joined(2 * step)
        halves = [
            [(k & ~step | bit) + (LANES if k & step else 0) for k in range(LANES)]
            for bit in (0, step)
        ]
        masks = (vector(INT, half) for half in halves)
        return join(b, *(b.shuffle_vector(one, other, mask) for mask in masks))

    found = joined(1)
    reversed_bits = [(k & 1) << 2 | k & 2 | k >> 2 for k in range(LANES)]
    return b.shuffle_vector(found, found, vector(INT, reversed_bits))


def turned(b, rows):
    """Return eight vectors of eight lanes with lanes and vectors exchanged."""
    for step in (4, 2, 1):
        exchanged = list(rows)
        for i in range(LANES):
            one, other = rows[i & ~step], rows[i | step]
            places = [(k & ~step | i & step) + (LANES if k & step else 0) for k in range(LANES)]
            exchanged[i] = b.shuffle_vector(one, other, vector(INT, places))
        rows = exchanged
    return rows


def loop(b, start, stop, step, carried, body):
    """Run ``carried = body(place, *carried)`` while a step fits; return place and ``carried``."""
    before, inside, after = b.block, b.append_basic_block("each"), b.append_basic_block("then")
    b.cbranch(b.icmp_signed("<=", b.add(start, LONG(step)), stop), inside, after)
    b.position_at_end(inside)
    values = [b.phi(value.type) for value in (start, *carried)]
    later = [b.add(values[0], LONG(step)), *body(*values)]
    last = b.block
    b.cbranch(b.icmp_signed("<=", b.add(later[0], LONG(step)), stop), inside, after)
    b.position_at_end(after)
    ends = [b.phi(value.type) for value in values]
    for first, then, *phis in zip((start, *carried), later, values, ends, strict=True):
        for phi in phis:
            phi.add_incoming(first, before), phi.add_incoming(then, last)
    return ends[0], ends[1:]


class Sweep:
    """Generates a pass over a row; arguments are those of `least_of_row`."""

    # If a node has two numbers, not eight, ``lanes`` is 2, and shapes follow

    def __init__(self, b, sums, added, entering, removed, leaving, reach, group, lanes=LANES):
        self._b, self._sums, self._reach, self._lanes = b, sums, reach, lanes
        lane = sums.lane
        self._entering = Row(b, entering, added, lane, group, lanes)
        self._leaving = Row(b, leaving, removed, lane, group, lanes)
        self._width, self._group = entering.shape[0], group

    def _place(self, x):
        """Return the place of column x in the sums."""
        if self._sums.type.ndim == 2:
            lane = self._b.mul(self._group, LONG(self._lanes))
            return self._b.add(self._b.mul(x, self._sums.shape[1]), lane)
        first = self._b.add(self._reach, LONG(1))
        return self._b.mul(self._b.add(first, x), LONG(self._lanes))

    def column(self, x):
        """Return the present sums of column x."""
        return self._sums.load(self._place(x), self._lanes)

    def moved(self, x, change=minus):
        """Move column x to this row; return its sums."""
        new, old = self._entering.load(x), self._leaving.load(x)
        value = plus(self._b, self.column(x), change(self._b, new, old))
        self._sums.store(self._place(x), value)
        return value

    def move_all(self, change):
        """Move all columns of the row, without a sweep."""
        self._move(LONG(0), self._width, change)

    def _move(self, start, stop, change=minus):
        def body(x):
            self.moved(x, change)
            return []

        loop(self._b, start, stop, 1, [], body)

    def _added(self, total, change):
        return plus(self._b, total, converted(self._b, change, total.type.element))

    def run(self, total, finish):
        """Sweep the row from ``total`` on; ``finish(place, totals)`` gets eight nodes at a time."""
        b, reach, width = self._b, self._reach, self._width
        inner = b.sub(width, reach)

        def ahead(x, total):
            return [self._added(total, self.moved(x))]

        def eight_nodes(column):
            def body(x, total):
                totals = [total]

                def following():
                    node = b.add(x, LONG(len(totals) - 1))
                    leaving = self.column(b.sub(b.sub(node, reach), LONG(1)))
                    change = minus(b, column(b.add(node, reach)), leaving)
                    totals.append(self._added(totals[-1], change))
                    return totals[-1]

                finish(x, following)
                return totals[-1:]

            return body

        _, totals = loop(b, LONG(0), reach, 1, [total], ahead)
        x, totals = loop(b, LONG(0), inner, LANES, totals, eight_nodes(self.moved))
        self._move(b.add(x, reach), width)
        loop(b, x, b.add(width, LONG(LANES - 1)), LANES, totals, eight_nodes(self.column))


@llvm()
def add_two_rows(b, sums, added, entering, also_added, also, reach, group):
    """Add two rows to the column sums; arguments are those of `least_of_row`."""
    Sweep(b, sums, added, entering, also_added, also, reach, group).move_all(plus)


@llvm()
def exchange_rows(b, sums, added, entering, removed, leaving, reach, group):
    """Add a row to the column sums and take one out; arguments are those of `least_of_row`."""
    Sweep(b, sums, added, entering, removed, leaving, reach, group).move_all(minus)


@llvm()
def least_of_row(b, sums, added, entering, removed, leaving, reach, group, least, found):
    """Move to a row and sweep it: lower each node's least key to the group's, with its state."""
    # A key is a total with its lane below the last bit, so that the least key has the least total
    # and, of equal ones, the first lane. In float64 the lanes are eighths; in int32 the sums are
    # multiples of eight. Of groups that tie the first one's state stays. sums (8 (W + 2 reach +
    # 9),), int32 or float64, moved; added and removed (8 M,): numbers of the symbols that enter and
    # leave (not used for integers); entering and leaving (W,) or (W, 8 G); reach min(w, W); lane c
    # of a group is state 8 group + c; least (W + 7,) and found (W + 7,) uint8: written for the
    # first group, then lowered. Totals are below 2^31 or 2^48
    eight = ir.VectorType(BYTE, LANES)
    is_first = splat(b, b.icmp_signed("==", group, LONG(0)))
    before = splat(b, b.trunc(b.mul(group, LONG(LANES)), BYTE))

    def finish(x, following):
        key = of_eight_nodes(b, lesser, following)
        if key.type.element == DOUBLE:
            key = b.fadd(key, vector(DOUBLE, BIAS))
        bits = as_bits(b, key)
        lanes = b.trunc(b.and_(bits, vector(bits.type.element, LANES - 1)), eight)
        total = b.and_(as_bits(b, least.load(x)), vector(bits.type.element, -LANES))
        less = is_less(b, key, b.bitcast(total, key.type))
        less = b.or_(less, is_first)
        least.store(x, b.select(less, key, least.load(x)))
        found.store(x, b.select(less, b.or_(lanes, before), found.load(x)))

    sweep = Sweep(b, sums, added, entering, removed, leaving, reach, group)
    unit = 1 / LANES if least.lane == DOUBLE else 1
    sweep.run(vector(least.lane, [unit * lane for lane in range(LANES)]), finish)


@llvm()
def squares_of_row(b, sums, added, entering, removed, leaving, reach, group, squares):
    """Move to a row and sweep it: add the squares of the group's totals, which are counts."""
    # squares (W + 7,), of the type of totals, is written for the first group; the rest:
    # `least_of_row`
    is_first = splat(b, b.icmp_signed("==", group, LONG(0)))

    def finish(x, following):
        def squared():
            total = following()
            return times(b, total, total)

        found = of_eight_nodes(b, plus, squared)
        more = plus(b, found, squares.load(x))
        squares.store(x, b.select(is_first, found, more))

    sweep = Sweep(b, sums, added, entering, removed, leaving, reach, group)
    sweep.run(vector(squares.lane, 0), finish)


@llvm()
def totals_of_row(b, sums, added, entering, removed, leaving, reach, group, totals):
    """Move to a row and sweep it: write the group's totals, from row 8 group of totals on."""
    # totals (8 G or more, W + 7), int32, int64 or float64, the type of totals; the rest:
    # `least_of_row`
    first = b.mul(group, LONG(LANES))

    def finish(x, following):
        for c, lane in enumerate(turned(b, [following() for _ in range(LANES)])):
            place = b.mul(b.add(first, LONG(c)), totals.shape[1])
            totals.store(b.add(place, x), lane)

    sweep = Sweep(b, sums, added, entering, removed, leaving, reach, group)
    sweep.run(vector(totals.lane, 0), finish)


@llvm()
def subtract_own(b, own, table, group, totals):
    """Subtract the numbers of the nodes' own symbols (W,) from totals (8 G or more, W + 7)."""
    # table (8 M,): the eight numbers of each symbol, of the type of totals
    last, row = b.sub(own.shape[0], LONG(1)), Row(b, own, table, totals.lane, group)

    def eight_nodes(x):
        found = []
        for k in range(LANES):
            node = b.add(x, LONG(k))  # the last eight may reach beyond the row
            inside = b.icmp_signed("<", node, last)
            found.append(row.load(b.select(inside, node, last)))
        for c, lane in enumerate(turned(b, found)):
            state = b.add(b.mul(group, LONG(LANES)), LONG(c))
            place = b.add(b.mul(state, totals.shape[1]), x)
            totals.store(place, minus(b, totals.load(place), lane))
        return []

    loop(b, LONG(0), totals.shape[1], LANES, [], eight_nodes)
