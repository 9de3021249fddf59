"""Log densities of vectors, each under the normal density of its state."""

from llvmlite import ir

from latviz.core.kernels.lanes import any_of, for_known_channels, multiply_add, over
from latviz.core.kernels.vectors import DOUBLE, FLOAT, LANES, LONG, every, llvm, loop, splat, vector


def as_double(b, value, signed):
    """Return a number, or a vector of them, as float64."""
    is_vector = isinstance(value.type, ir.VectorType)
    lane = value.type.element if is_vector else value.type
    kind = ir.VectorType(DOUBLE, value.type.count) if is_vector else DOUBLE
    if lane == DOUBLE:
        return value
    if lane == FLOAT:
        return b.fpext(value, kind)
    return b.sitofp(value, kind) if signed else b.uitofp(value, kind)


class NormalTerms:
    """Generates the terms of a row of nodes; arguments are those of `log_densities_of_row`."""

    def __init__(self, builder, states, vectors, normals, terms):
        self._b, self._states, self._vectors = builder, states, vectors
        self._normals, self._terms = normals, terms
        self.n_channels, self._size = vectors.shape[1], normals.shape[1]
        self._signed = getattr(vectors.type.dtype, "signed", True)

    def write(self, known):
        """Generate the loop over nodes, for a known number of channels or for any."""
        b, width, done = self._b, self._states.shape[0], LONG(0)

        def node(x):
            self._terms.write_number(x, self._as_term(self._term(x, known)))
            return []

        def eight_nodes(x):
            first = splat(b, self._states.number(x))
            differs = any_of(b, b.icmp_unsigned("!=", self._states.load(x), first))
            with b.if_else(differs) as (apart, together):
                with apart:
                    loop(b, x, b.add(x, LONG(LANES)), 1, [], node)
                with together:
                    self._terms.store(x, self._as_term(self._eight_terms(x, known)))
            return []

        if known:
            done, _ = loop(b, done, width, LANES, [], eight_nodes)
        loop(b, done, width, 1, [], node)

    def _term(self, x, known):
        """Return the term of one node."""
        b, normal = self._b, self._normal(x)
        half, zero = ir.Constant(DOUBLE, -0.5), ir.Constant(DOUBLE, 0.0)
        first, start = b.mul(x, self.n_channels), b.add(normal, self.n_channels)

        def apart(c):
            number = as_double(b, self._vectors.number(b.add(first, c)), self._signed)
            return b.fsub(number, self._normals.number(b.add(normal, c)))

        held = [apart(LONG(c)) for c in range(known or 0)]

        def row(a, at, squares):
            def column(c, z):
                weight = self._normals.number(b.add(at, c))
                return [multiply_add(b, weight, held[c.constant] if held else apart(c), z)]

            later = b.add(a, LONG(1))
            (z,) = over(b, a.constant + 1 if known else later, [zero], column, known)
            return [b.add(at, later), multiply_add(b, z, z, squares)]

        at, squares = over(b, known or self.n_channels, [start, zero], row, known)
        return multiply_add(b, half, squares, self._normals.number(at))

    def _eight_terms(self, x, known):
        """Return the terms of eight nodes that are all in the state of the first."""
        b, normal, first = self._b, self._normal(x), self._b.mul(x, LONG(known))
        parts = [
            as_double(b, self._vectors.load(b.add(first, LONG(LANES * k))), self._signed)
            for k in range(known)
        ]

        def given(place):
            return splat(b, self._normals.number(b.add(normal, LONG(place))))

        apart = [b.fsub(every(b, parts, c), given(c)) for c in range(known)]
        squares, place = vector(DOUBLE, 0), known
        for row in range(known):
            z = vector(DOUBLE, 0)
            for c in range(row + 1):
                z = multiply_add(b, given(place + c), apart[c], z)
            squares, place = multiply_add(b, z, z, squares), place + row + 1
        return multiply_add(b, vector(DOUBLE, -0.5), squares, given(place))

    def _normal(self, x):
        """Return where the density of a node's state begins."""
        return self._b.mul(self._b.zext(self._states.number(x), LONG), self._size)

    def _as_term(self, value):
        """Return a number, or eight, in the type of the terms."""
        lane = self._terms.lane
        if lane == DOUBLE:
            return value
        is_vector = isinstance(value.type, ir.VectorType)
        return self._b.fptrunc(value, ir.VectorType(lane, LANES) if is_vector else lane)


@llvm()
def log_densities_of_row(b, states, vectors, normals, terms):
    """Write log f(o_t | mu, Sigma) of each node of a row to terms (W,), by its state's density."""
    # Most nodes come in eights of one state, which are computed in vectors, and others one by one.
    # states (W,) uint8, vectors (W, C); normals (N, C + C (C + 1) / 2 + 1) float64: mu; the lower
    # triangle of the whitener, row by row; -1/2 (C log 2 pi + log det Sigma). The whitener is the
    # inverse of the lower Cholesky factor of Sigma: times o_t - mu it gives z, ||z||^2 = (o_t -
    # mu)' Sigma^-1 (o_t - mu)
    row = NormalTerms(b, states, vectors, normals, terms)
    for_known_channels(b, row.n_channels, row.write)
