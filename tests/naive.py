"""The oracle: what the readable edition lacks, in plain loops, written from its definitions.

The model itself is the readable edition. Neither imports anything of latviz. A lattice is an array;
vectors have their channels on the last axis; numpy holds the numbers, cuts windows out and counts
in them. The code is not meant to be fast, except that exact PNN stores the cheapest partner of
every cluster so that it can merge a few thousand points.
"""

import itertools
import math
from fractions import Fraction

import numpy as np

from resources.readable.latviz_in_300_lines import (  # noqa: F401
    adjacency,
    associativity,
    covariances,
    inertia,
    local_alpha,
    local_inertia,
    pair_counts,
    pair_terms,
)
from resources.readable.latviz_in_300_lines import assign as _assign
from resources.readable.latviz_in_300_lines import distances as squared_distances  # noqa: F401
from resources.readable.latviz_in_300_lines import log as _log
from resources.readable.latviz_in_300_lines import log_f as emissions_gaussian  # noqa: F401
from resources.readable.latviz_in_300_lines import signature as signature_discrete  # noqa: F401
from resources.readable.latviz_in_300_lines import (  # noqa: F401
    signature_of_vectors as signature_gaussian,
)

# The lattice


def nodes(shape):
    return itertools.product(*(range(size) for size in shape))


def window_nodes(shape, t, w):
    """Return the nodes within w of t along every axis, clipped to the lattice."""
    spans = (
        range(max(0, place - w), min(size, place + w + 1))
        for place, size in zip(t, shape, strict=True)
    )
    return list(itertools.product(*spans))


def window_of(o, t, w):
    """Return the part of a lattice that is within w of t along every axis."""
    return o[tuple(slice(max(0, place - w), place + w + 1) for place in t)]


def neighbours(shape, t):
    """Return R(t): the up to 2d nodes one step from t along one axis."""
    return [
        (*t[:axis], place, *t[axis + 1 :])
        for axis, size in enumerate(shape)
        for place in (t[axis] - 1, t[axis] + 1)
        if 0 <= place < size
    ]


# Signatures and decoding


def signature_at(o, t, w, M):
    """Return the shares of the M symbols in the window of one node."""
    counts = symbol_counts(window_of(o, t, w), M)
    return (counts / counts.sum()).tolist()


def symbol_counts(symbols, M):
    return np.bincount(symbols.reshape(-1).astype(np.int64), minlength=M)


def mean_at(v, t, w):
    """Return the mean vector of the window of one node."""
    window = window_of(v, t, w).reshape(-1, v.shape[-1]).astype(float)
    return [math.fsum(channel) / len(window) for channel in window.T.tolist()]


def squared_distance(x, y):
    return math.fsum((float(a) - float(b)) ** 2 for a, b in zip(x, y, strict=True))


def decode(x, codebook):
    """Return the nearest codeword of every node, ties to the smallest index."""
    return _assign(codebook, x)


def decode_exactly(o, w, codebook):
    """Return the states of symbols in rational arithmetic, and the number of nodes with ties."""
    codewords = [[Fraction(float(b)) for b in codeword] for codeword in codebook]
    states, n_ties, found = np.zeros(o.shape, dtype=int), 0, {}
    for t in nodes(o.shape):
        counts = tuple(symbol_counts(window_of(o, t, w), len(codewords[0])).tolist())
        if counts not in found:
            x = [Fraction(count, sum(counts)) for count in counts]
            found[counts] = _nearest_exactly(x, codewords)
        states[t] = found[counts][0]
        n_ties += found[counts][1]
    return states, n_ties


def _nearest_exactly(x, codewords):
    """Return the nearest codeword, of several the first, and whether there are several."""
    row = [sum((a - b) ** 2 for a, b in zip(x, c, strict=True)) for c in codewords]
    return row.index(min(row)), row.count(min(row)) > 1


def decode_vectors_exactly(v, w, means):
    """Return the states of vectors in rational arithmetic, and the number of nodes with ties."""
    codewords = [[Fraction(float(m)) for m in mean] for mean in means]
    states, n_ties = np.zeros(v.shape[:-1], dtype=int), 0
    for t in nodes(states.shape):
        window = window_nodes(states.shape, t, w)
        sums = [sum(Fraction(float(v[(*s, k)])) for s in window) for k in range(v.shape[-1])]
        states[t], tie = _nearest_exactly([total / len(window) for total in sums], codewords)
        n_ties += tie
    return states, n_ties


# Leave-one-out decoding and code lengths


def decode_without(o, w, codebook, scalar):
    """Return the states from windows without the node; an empty window gives state 0.

    ``o`` holds symbols, or with ``scalar`` False vectors. Of several windows ``w``, signatures and
    codewords are concatenated; an empty window adds no distance. The second map is the squared
    distance to the second nearest codeword minus that to the nearest.
    """
    windows = w if isinstance(w, tuple) else (w,)
    shape, codebook = o.shape if scalar else o.shape[:-1], np.asarray(codebook)
    M = codebook.shape[1] // len(windows)
    states, margins = np.zeros(shape, dtype=int), np.full(shape, math.inf)
    for t in nodes(shape):
        row = [0.0] * len(codebook)
        for k, one in enumerate(windows):
            window = window_of(o, t, one)
            n_others = math.prod(window.shape[: len(shape)]) - 1
            if n_others:
                x = _sums_without(o[t], window, M, scalar) / n_others
                for j, codeword in enumerate(codebook):
                    row[j] += squared_distance(x, codeword[k * M : (k + 1) * M])
        if any(row):
            states[t] = row.index(min(row))
            margins[t] = sorted(row)[1] - min(row) if len(row) > 1 else math.inf
    return states, margins


def _sums_without(own, window, M, scalar):
    """Return the counts of symbols, or the sums of channels, of a window but for its own node."""
    if scalar:
        counts = symbol_counts(window, M)
        counts[own] -= 1
        return counts
    rows = np.vstack([window.reshape(-1, M), -np.asarray(own, dtype=float)])
    return np.array([math.fsum(channel) for channel in rows.T.tolist()])


def left_out_error(o, w, codebook):
    """Mean squared distance to the mean of its state, of nodes decoded without themselves.

    Symbols (*shape) are vectors of which one channel is 1; vectors are (*shape, M).
    """
    N, M = codebook.shape
    scalar = np.issubdtype(o.dtype, np.integer)
    states, _ = decode_without(o, w, codebook, scalar)
    rows = np.eye(M)[o.reshape(-1)] if scalar else o.reshape(-1, M)
    groups = [rows[states.reshape(-1) == j] for j in range(N)]
    return sum(((g - g.mean(axis=0)) ** 2).sum() for g in groups if len(g)) / len(rows)


def symbol_code_length(o, states, N, M):
    """Return the bits per node of symbols, given states that were decoded without them."""
    counts = [[0.5] * M for _ in range(N)]
    for t in nodes(o.shape):
        counts[int(states[t])][int(o[t])] += 1
    bits = 0.5 * N * (M - 1) * math.log2(o.size)
    for t in nodes(o.shape):
        row = counts[int(states[t])]
        bits -= math.log2(row[int(o[t])] / sum(row))
    return bits / o.size


def vector_code_length(v, states, N, floor):
    """Return the bits per node of vectors; ``floor`` is added to the variance of each channel."""
    M = v.shape[-1]
    bits = 0.5 * N * (M + M * (M + 1) / 2) * math.log2(states.size)
    every = [(int(states[t]), v[t]) for t in nodes(states.shape)]
    return (bits + _normal_bits(every, N, floor)) / states.size


def _normal_bits(rows, N, floor):
    """Return the bits of (state, vector) rows by the normal density that fits each state's."""
    bits = 0.0
    for j in range(N):
        members = [row for state, row in rows if state == j]
        if members:
            mean = sum(members) / len(members)
            sigma = sum(np.outer(o - mean, o - mean) for o in members) / len(members)
            L = cholesky(sigma + np.diag(floor))
            bits -= sum(log_density(o, mean, L) for o in members) / math.log(2)
    return bits


def pixel_error(bins, n_bins, without, within):
    """Return the mean bits of each node's bins, a node's own counts left out."""
    # Each node has a bin a channel; without, within: its weights of the states, by the other nodes
    # alone and with itself
    n_states, total = len(without[0]), 0.0
    for t, own in enumerate(bins):
        for c, value in enumerate(own):
            p = 0.0
            for j in range(n_states):
                others = [k for k in range(len(bins)) if k != t]
                all_of_state = math.fsum(within[k][j] for k in others)
                same = math.fsum(within[k][j] for k in others if bins[k][c] == value)
                p += without[t][j] * (same + 0.5) / (all_of_state + n_bins / 2)
            total -= math.log2(p)
    return total / len(bins)


def state_counts(lattices, N):
    counts = [0] * N
    for states in lattices:
        for t in nodes(states.shape):
            counts[int(states[t])] += 1
    return counts


def smoothed_symbols(B, lattices, smoothing):
    """Return B with that many pseudo-counts of each symbol in every state."""
    N, M = B.shape
    smoothed = np.array(B, dtype=float)
    for i, count in enumerate(state_counts(lattices, N)):
        for k in range(M):
            if count + smoothing > 0:
                smoothed[i, k] = (count * B[i, k] + smoothing) / (count + M * smoothing)
    return smoothed


def shared_nats(symbols, known):
    """Return the mutual information of the symbols of known neighbours, in either order."""
    pairs = [
        (int(symbols[t]), int(symbols[r]))
        for t in nodes(symbols.shape)
        for r in neighbours(symbols.shape, t)
        if known[t] and known[r]
    ]
    joint = {pair: pairs.count(pair) / len(pairs) for pair in set(pairs)}
    first, second = {}, {}
    for (a, b), share in joint.items():
        first[a] = first.get(a, 0.0) + share
        second[b] = second.get(b, 0.0) + share
    return sum(p * math.log(p / (first[a] * second[b])) for (a, b), p in joint.items())


# Belief


def entropy(scores):
    """Return the entropy in bits of the distribution proportional to exp(scores)."""
    most = max(scores)
    masses = [math.exp(score - most) for score in scores]
    shares = [mass / sum(masses) for mass in masses]
    return -sum(share * math.log2(share) for share in shares if share > 0)


def belief_entropy_discrete(o, B, w):
    """Return the entropy of each node's belief: the window's symbols, each emitted by state j.

    The belief is the limit as zeros of B, all equal, tend to 0: states of more impossible symbols
    than others have none.
    """
    found = np.zeros(o.shape)
    for t in nodes(o.shape):
        window = window_of(o, t, w).reshape(-1).tolist()
        impossible = [sum(row[symbol] == 0 for symbol in window) for row in B]
        scores = [sum(math.log(row[symbol]) for symbol in window if row[symbol] > 0) for row in B]
        least = min(impossible)
        found[t] = entropy([s for s, n in zip(scores, impossible, strict=True) if n == least])
    return found


def belief_entropy_gaussian(v, means, sigmas, w):
    """Return the entropy of each node's belief: the density of the window's mean."""
    found = np.zeros(v.shape[:-1])
    for t in nodes(v.shape[:-1]):
        n = window_of(v[..., 0], t, w).size
        scores = []
        for mean, sigma in zip(means, sigmas, strict=True):
            y = np.array(mean_at(v, t, w)) - mean
            spread = np.asarray(sigma) / n
            scores.append(-0.5 * (y @ np.linalg.solve(spread, y) + math.log(np.linalg.det(spread))))
        found[t] = entropy(scores)
    return found


# Pairwise nearest neighbour


def distinct(points, weights=None):
    weights = [1.0] * len(points) if weights is None else weights
    found = {}
    for point, weight in zip(points, weights, strict=True):
        key = tuple(float(value) for value in point)
        found[key] = found.get(key, 0.0) + float(weight)
    return np.array(list(found)), np.array(list(found.values()))


def merge_cost(n_i, c_i, n_j, c_j):
    return n_i * n_j / (n_i + n_j) * squared_distance(c_i, c_j)


class ExactPNN:
    """Merge the cheapest pair of clusters again and again, down to one.

    ``merges[m]`` is the pair of rows of merge m (the second goes into the first), ``costs[m]`` its
    increase of the squared error, ``rivals[m]`` the cost of the cheapest pair that shares one
    cluster with it: if that is not higher, another order would be as good.
    """

    def __init__(self, points, weights=None):
        self.points, self.weights = distinct(points, weights)
        self.merges, self.costs, self.rivals = [], [], []
        self._centroids, self._masses = self.points.copy(), self.weights.copy()
        self._alive = np.ones(len(self.points), dtype=bool)
        self._table = np.full((len(self.points),) * 2, np.inf)
        for i in range(len(self.points)):
            self._renew(i)
        self._partner, self._least = self._table.argmin(axis=1), self._table.min(axis=1)
        for _ in range(len(self.points) - 1):
            self._merge()

    def codebook(self, k):
        """Return the centroids of the k clusters that are left after n - k merges."""
        return self._replay(k)[0]

    def masses(self, k):
        return self._replay(k)[1]

    def is_decided(self, k, rtol):
        """Return True when no near-tie can lead another PNN to other k clusters."""
        if k > len(self.points):
            return False
        done = len(self.points) - k
        clear = all(
            rival > cost * (1 + rtol)
            for cost, rival in zip(self.costs[:done], self.rivals[:done], strict=True)
        )
        is_last = done in (0, len(self.costs))
        return clear and (is_last or self.costs[done] > self.costs[done - 1] * (1 + rtol))

    def _replay(self, k):
        centroids, masses = self.points.copy(), self.weights.copy()
        alive = np.ones(len(masses), dtype=bool)
        for i, j in self.merges[: len(masses) - k]:
            _join(centroids, masses, i, j)
            alive[j] = False
        return centroids[alive], masses[alive]

    def _renew(self, i):
        """Fill row and column i of the table of costs."""
        distances = ((self._centroids - self._centroids[i]) ** 2).sum(axis=1)
        row = self._masses * self._masses[i] / (self._masses + self._masses[i]) * distances
        row[~self._alive] = np.inf
        row[i] = np.inf
        self._table[i] = self._table[:, i] = row

    def _merge(self):
        i = int(self._least.argmin())
        j = int(self._partner[i])
        self.merges.append((i, j))
        self.costs.append(float(self._table[i, j]))
        self._table[i, j] = self._table[j, i] = np.inf
        self.rivals.append(float(min(self._table[i].min(), self._table[j].min())))
        _join(self._centroids, self._masses, i, j)
        self._alive[j] = False
        self._table[j] = self._table[:, j] = np.inf
        self._renew(i)
        self._search_partners(i, j)

    def _search_partners(self, i, j):
        nearer = self._table[i] < self._least
        self._partner[nearer], self._least[nearer] = i, self._table[i][nearer]
        stale = np.isin(self._partner, (i, j)) & ~nearer
        stale[[i, j]] = True
        for row in np.flatnonzero(stale):
            self._partner[row] = self._table[row].argmin()
            self._least[row] = self._table[row].min()


def _join(centroids, masses, i, j):
    total = masses[i] + masses[j]
    centroids[i] = (masses[i] * centroids[i] + masses[j] * centroids[j]) / total
    masses[i] = total


def least_merge_cost(codebook, masses):
    """Return the cost of the cheapest merge of two of the clusters."""
    best = math.inf
    for i in range(1, len(codebook)):
        distances = ((codebook[:i] - codebook[i]) ** 2).sum(axis=1)
        best = min(
            best, float((masses[:i] * masses[i] / (masses[:i] + masses[i]) * distances).min())
        )
    return best


def squared_error(points, weights, codebook):
    """Return the weighted sum of squared distances to the nearest codeword."""
    total = 0.0
    for point, weight in zip(points, weights, strict=True):
        total += float(weight) * float(((codebook - point) ** 2).sum(axis=1).min())
    return total


# Evaluation


def log(value):
    return math.log(value) if value > 0 else -math.inf


def emissions_discrete(o, states, B):
    """Return log b(q_t, o_t) of every node."""
    return _log(B)[states, o]


def cholesky(matrix):
    size = len(matrix)
    L = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = float(matrix[i][j]) - sum(L[i][k] * L[j][k] for k in range(j))
            L[i][j] = math.sqrt(rest) if i == j else rest / L[j][j]
    return L


def log_density(o, mean, L):
    """Return the log of the normal density at o; L is the Cholesky factor of its covariance."""
    z = []
    for i, row in enumerate(L):
        rest = float(o[i]) - float(mean[i]) - sum(row[k] * z[k] for k in range(i))
        z.append(rest / row[i])
    log_determinant = 2 * sum(math.log(L[i][i]) for i in range(len(L)))
    return -0.5 * (len(L) * math.log(2 * math.pi) + log_determinant + sum(c * c for c in z))


# Bias and variance


def bias_variance(truth, copies):
    """Return the main predictions, and the shares of copies that differ from them and from truth.

    The main prediction is the commonest state, the least of those if there are several.
    """
    modes, variance, error = (np.zeros(truth.shape) for _ in range(3))
    for t in nodes(truth.shape):
        states = [int(copy[t]) for copy in copies]
        modes[t] = max(sorted(set(states)), key=states.count)
        variance[t] = sum(state != modes[t] for state in states) / len(states)
        error[t] = sum(state != truth[t] for state in states) / len(states)
    return modes, variance, error


def leaves_its_cell(B, state, n, tie=1e-6):
    """Return the probability that a state's window of n nodes is not clearly nearest to it."""
    total = 0.0
    for window in itertools.product(range(len(B[0])), repeat=n):
        x = [window.count(k) / n for k in range(len(B[0]))]
        distances = [squared_distance(np.array(x), np.array(row)) for row in B]
        others = [d for j, d in enumerate(distances) if j != state]
        if others and min(others) <= distances[state] + tie:
            total += math.prod(B[state][k] for k in window)
    return total


# Two maps of states


def matchings(n_one, n_other):
    """Yield every way to match states of one map with as many of another as there can be."""
    if n_one <= n_other:
        for chosen in itertools.permutations(range(n_other), n_one):
            yield set(enumerate(chosen))
    else:
        for pairs in matchings(n_other, n_one):
            yield {(i, j) for j, i in pairs}


def disagreements(one, other):
    """Return the masks of the nodes that differ under each of the best matchings of states."""
    pairs = list(zip(one.reshape(-1).tolist(), other.reshape(-1).tolist(), strict=True))
    masks = [
        tuple(pair not in matched for pair in pairs)
        for matched in matchings(max(i for i, _ in pairs) + 1, max(j for _, j in pairs) + 1)
    ]
    least = min(sum(mask) for mask in masks)
    return [mask for mask in masks if sum(mask) == least]


def contingency(pairs, N_one, N_other):
    """Return the number of nodes in state i of one map and j of the other, over pairs of maps."""
    counts = np.zeros((N_one, N_other), dtype=int)
    for one, other in pairs:
        for t in nodes(one.shape):
            counts[int(one[t]), int(other[t])] += 1
    return counts


def boundary_f_score(pairs, tolerance):
    """Return the F-score of the boundary nodes of pairs of maps, found and true ones."""
    n_found = n_true = n_right = n_met = 0
    for found, truth in pairs:
        shape = truth.shape
        on_found, on_true = (
            {t for t in nodes(shape) if any(q[t] != q[r] for r in neighbours(shape, t))}
            for q in (found, truth)
        )
        n_found, n_true = n_found + len(on_found), n_true + len(on_true)
        n_right += sum(bool(on_true & set(window_nodes(shape, t, tolerance))) for t in on_found)
        n_met += sum(bool(on_found & set(window_nodes(shape, t, tolerance))) for t in on_true)
    if not n_found or not n_true:
        return float(n_found == n_true)
    precision, recall = n_right / n_found, n_met / n_true
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


# A field of states that is swept


def splitmix64(key):
    """Yield the numbers of SplitMix64 as shares of 2^53, exactly."""
    mask = 2**64 - 1
    while True:
        key = (key + 0x9E3779B97F4A7C15) & mask
        z = key
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield Fraction((z ^ (z >> 31)) >> 11, 2**53)


def gibbs_swept(states, A, key, sweeps):
    """Return a field after sweeps of Gibbs, A of whole numbers or fractions, exactly."""
    q, A = states.astype(int), [[Fraction(a) for a in row] for row in A.tolist()]
    stream = splitmix64(key)
    for _ in range(sweeps):
        drawn = {t: [next(stream) for _ in range(3)] for t in nodes(q.shape)}
        for colour in (0, 1):
            for t in nodes(q.shape):
                if (sum(t) + colour) % 2 == 0:
                    around = [q[r] for r in neighbours(q.shape, t)]
                    says = [math.prod((row[r] for r in around), start=Fraction(1)) for row in A]
                    below = itertools.accumulate(says)
                    q[t] = sum(drawn[t][0] * sum(says) >= b for b in list(below)[:-1])
    return q


def clusters_swept(states, opening, n_states, key, sweeps):
    """Return a field after sweeps of clusters, whose bonds open with this probability."""
    q, stream = states.astype(int), splitmix64(key)
    for _ in range(sweeps):
        drawn = {t: [next(stream) for _ in range(3)] for t in nodes(q.shape)}
        name = {t: t for t in nodes(q.shape)}
        for t in nodes(q.shape):
            for r, u in (((t[0], t[1] + 1), drawn[t][1]), ((t[0] + 1, t[1]), drawn[t][2])):
                if r in name and q[r] == q[t] and u < opening:
                    both = {name[t], name[r]}
                    name = {s: min(both) if name[s] in both else name[s] for s in name}
        q = np.array([math.floor(drawn[name[t]][0] * n_states) for t in name]).reshape(q.shape)
    return q


# Labels of strokes


def kt_bits(counts):
    """Return the bits of labels, one after the other: (n_l + 1/2) / (n + L/2) for the next l."""
    bits, seen = 0.0, [0] * len(counts)
    for label, count in enumerate(counts):
        for _ in range(count):
            bits -= math.log2((seen[label] + 0.5) / (sum(seen) + 0.5 * len(counts)))
            seen[label] += 1
    return bits


def prediction_bound(values, quantile):
    """Return what one more value exceeds as seldom as Student's t exceeds a quantile."""
    n, mean = len(values), math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    return mean + quantile * math.sqrt(variance * (1 + 1 / n))


BOUND_OF_FOUR = 4.540703
"""The quantile .99 of Student's t with 3 degrees of freedom, from tables."""
