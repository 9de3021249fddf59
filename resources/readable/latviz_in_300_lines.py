"""The latent-variable lattice model in 300 lines, with NumPy alone.

Each function is an algorithm or a quantity of R. Masatran, *A Latent-Variable Lattice Model*, under
its name there. `latviz` computes the same states, bit by bit, and is many times as fast.

    o   observations: symbols 0..M-1, (*shape), or vectors, (*shape, M); lattices: several
    w   half-width of a window, which the borders of the lattice clip
    x   signatures: what the window of each node holds, (*shape, M)
    q   states 0..N-1, (*shape); Q: those of several lattices
    B   the codebook: a signature for each state, (N, M); of vectors, the means mu
    A   state adjacency potential, (N, N)
    Sigma   covariances of states, (N, M, M), or None for symbols

>>> A, B, Sigma = learning([np.array([0, 0, 0, 0, 1, 1, 1, 1])], N=2, w=0)
>>> A.tolist(), B.tolist()
([[0.75, 0.125], [0.125, 0.75]], [[0.0, 1.0], [1.0, 0.0]])
>>> decoding(B, 1, np.array([1, 0, 1, 1, 0, 0]))[1].tolist()
[0, 0, 0, 0, 1, 1]
"""

import numpy as np

log = np.errstate(divide="ignore")(np.log)  # of 0 it is minus infinity


def window_sum(values, w):
    """Return the sum of (*shape, M) over the window of each node: along one axis, then the next."""
    for axis in range(values.ndim - 1):
        T = values.shape[axis]
        below = np.insert(values.cumsum(axis), 0, 0, axis)  # below[t] is the sum of 0..t-1
        first, last = np.maximum(np.arange(T) - w, 0), np.minimum(np.arange(T) + w + 1, T)
        values = below.take(last, axis) - below.take(first, axis)
    return values


def signature(o, w, M):
    """Return the share of each symbol in the windows. The paper's algorithms print M for n."""
    symcount = window_sum((o[..., None] == np.arange(M)).astype(int), w)
    return symcount / symcount.sum(axis=-1, keepdims=True)


def signature_of_vectors(o, w, origin=0.0):
    """Return the mean vectors of the windows, less an origin."""
    zero, half = middle_and_half([o])
    unit = 2 ** (np.ceil(np.log2(half)) - 25)  # sums of whole numbers are exact
    total = window_sum(np.rint((o - zero) / unit).astype(int), w)
    n = window_sum(np.ones_like(total[..., :1]), w)
    return unit * (total / n) + (zero - origin)


def middle_and_half(lattices):
    """Return the middle of each channel's range, and half its length, 1 where that is 0."""
    low, high = flat(lattices).min(axis=0).astype(float), flat(lattices).max(axis=0).astype(float)
    middle = low / 2 + high / 2
    return middle, np.where(high > middle, high - middle, 1.0)


def squares(y):
    """Return the sum of squares along the last axis, added from the first on."""
    total = y[..., 0] ** 2
    for k in range(1, y.shape[-1]):
        total = total + y[..., k] ** 2
    return total


def distances(x, B):
    """Return the squared distance of each signature to each codeword, (*shape, N)."""
    return np.stack([squares(x - codeword) for codeword in B], axis=-1)


def assign(B, x):
    """Return the states of the nearest codewords, of several the first (Algorithms 3, 7)."""
    return distances(x, B).argmin(axis=-1)


def decoding(B, w, o):
    """Return the signatures and the states of a lattice (Algorithms 2, 6)."""
    x = signature(o, w, B.shape[1]) if o.dtype.kind in "iu" else signature_of_vectors(o, w)
    q = assign(B, x)
    return x, q


def VQ(x, N, n_exact=1024):
    """Return the codebook of N codewords of signatures (U, M): Fast PNN (Equitz 1989)."""
    c, n = distinct(x)
    while len(n) > n_exact:
        c, n = merge_in_buckets(c, n, max(n_exact, len(n) // 2))
    order = np.lexsort((n, *c.T[::-1]))
    return cut(*merge_exactly(c[order], n[order]), N)


def distinct(x):
    """Return the distinct signatures and their numbers, in the order of their hashes."""
    x = x.astype(np.float32).astype(float) + 0.0  # no -0.0
    key = np.full(len(x), 1469598103934665603, np.uint64)  # by Fowler, Noll and Vo
    for bits in x.view(np.uint64).T:
        key = (key ^ bits) * np.uint64(1099511628211)
        key ^= key >> np.uint64(29)
    _, first, n = np.unique(key, return_index=True, return_counts=True)
    return x[first], n.astype(float)


def merge_cost(n_i, c_i, n_j, c_j):
    """Return what merging two clusters of n points around c adds to the squared error."""
    return n_i * n_j / (n_i + n_j) * squares(c_i - c_j)


def merge_in_buckets(c, n, target):
    """Merge clusters within the buckets of a k-d tree until ``target`` are left."""
    buckets = list(split(c, list(range(len(n)))))
    size = np.array([len(bucket) for bucket in buckets])
    places = np.array([(bucket + 8 * bucket[:1])[:8] for bucket in buckets])
    c, n, left = c[places], n[places], len(n)
    cost, i, j = propose(c, n, size)
    while left > target:  # the cheaper half of the proposals is merged
        most = min((np.isfinite(cost).sum() + 1) // 2, left - target)
        chosen = np.argsort(cost, kind="stable")[:most]
        size[chosen] -= 1
        a, b, last = ((chosen, k[chosen]) for k in (i, j, size))
        total = n[a] + n[b]
        c[a] = (n[a][:, None] * c[a] + n[b][:, None] * c[b]) / total[:, None]
        n[a], n[b], c[b] = total, n[last], c[last]  # the bucket's last fills the gap
        cost[chosen], i[chosen], j[chosen] = propose(c[chosen], n[chosen], size[chosen])
        left -= most
    held = np.arange(8) < size[:, None]
    return c[held], n[held]


def split(c, order):
    """Yield buckets of eight clusters at most, split at medians of the widest axes."""
    if len(order) <= 8:
        yield order
        return
    middle, inside = len(order) // 2, c[order]
    axis = (inside.max(axis=0) - inside.min(axis=0)).argmax()
    select(order, inside[:, axis].tolist(), middle)
    yield from split(c, order[:middle])
    yield from split(c, order[middle:])


def select(order, along, middle):
    """Reorder until no value before the middle is greater than one after it (Hoare)."""
    left, right = 0, len(along) - 1
    while left < right:
        pivot, i, j = along[(left + right) // 2], left, right
        while i <= j:
            while along[i] < pivot:
                i += 1
            while along[j] > pivot:
                j -= 1
            if i <= j:
                along[i], along[j], order[i], order[j] = along[j], along[i], order[j], order[i]
                i, j = i + 1, j - 1
        left, right = (left, j) if middle <= j else (i, right) if middle >= i else (0, 0)


def propose(c, n, size):
    """Return the cost and the places of each bucket's cheapest pair."""
    i, j = np.triu_indices(8, 1)
    cost = merge_cost(n[:, i], c[:, i], n[:, j], c[:, j])
    cost[j >= size[:, None]] = np.inf
    best = cost.argmin(axis=1)
    return cost.min(axis=1), i[best], j[best]


def merge_exactly(c, n):
    """Merge the cheapest pair of all until one is left; return all clusters, and who merged."""
    mass, number, merges = n.copy(), list(range(len(n))), []
    cost = np.array([merge_cost(mass, c, mass[k], c[k]) for k in number])
    np.fill_diagonal(cost, np.inf)
    partner, least = cost.argmin(axis=1), cost.min(axis=1)
    for _ in range(len(mass) - 1):
        i, j = sorted((least.argmin(), partner[least.argmin()]))
        one, other = number[i], number[j]
        merges.append((one, other))
        number[i] = len(n)
        union = (n[one] * c[one] + n[other] * c[other]) / (n[one] + n[other])
        c, n = np.append(c, [union], axis=0), np.append(n, n[one] + n[other])
        # The costs of the union follow from those of its parts (Ward 1963)
        parts = (mass[i] + mass) * cost[i] + (mass[j] + mass) * cost[j]
        parts[[i, j]] = np.inf
        row = (parts - mass * cost[i, j]) / (mass[i] + mass[j] + mass)
        cost[i] = cost[:, i] = np.maximum(row, 0.0)
        cost[j] = cost[:, j] = np.inf
        mass[i] += mass[j]
        least[j] = np.inf
        stale = (partner == i) | (partner == j)
        stale[i] = True
        nearer = (cost[i] < least) & ~stale
        partner[nearer], least[nearer] = i, cost[i][nearer]
        for k in np.flatnonzero(stale & (least < np.inf)):
            partner[k], least[k] = cost[k].argmin(), cost[k].min()
    return c, n, merges


def cut(c, n, merges, N):
    """Return N codewords: the last merges undone. The lighter part gets a new row."""
    rows = [len(n) - 1]
    while len(rows) < min(N, len(merges) + 1):
        heavy, light = sorted(merges[-len(rows)], key=lambda k: (-n[k], k))
        rows[rows.index(len(n) - len(rows))] = heavy
        rows.append(light)
    return c[rows + rows[:1] * (N - len(rows))]  # states without nodes repeat the first


def learning(lattices, N, w, M=None):
    """Return A, B and Sigma of a data set (Algorithms 4, 8)."""
    if lattices[0].dtype.kind in "iu":
        M = M or 1 + max(o.max() for o in lattices)
        B = VQ(flat([signature(o, w, M) for o in lattices]), N)
    else:
        origin, _ = middle_and_half(lattices)
        B = VQ(flat([signature_of_vectors(o, w, origin) for o in lattices]), N) + origin
    Q = [decoding(B, w, o)[1] for o in lattices]
    return adjacency(Q, N), B, None if M else covariances(lattices, Q, B)


def flat(lattices):
    """Return the vectors of all nodes, (U, M)."""
    return np.concatenate([o.reshape(-1, o.shape[-1]) for o in lattices])


def neighbours(d):
    """Yield the slices of nodes t and of their neighbours r, in each of the 2 d directions."""
    for axis in range(d):
        all_but_one = slice(None, -1), slice(1, None)
        before, after = ((*[slice(None)] * axis, part) for part in all_but_one)
        yield from ((before, after), (after, before))


def pair_counts(q, N):
    """Return A'(i, j): the ordered pairs (t, r) of neighbours with states i and j."""
    counts = np.zeros((N, N), int)
    for t, r in neighbours(q.ndim):
        np.add.at(counts, (q[t], q[r]), 1)  # the paper prints A'(q_t, r)
    return counts


def adjacency(Q, N, smoothing=0.0):
    """Return A = A' / (2 d statecount); d is 1 for a row. A state without nodes gets zeros."""
    statecount = sum(np.bincount(q.reshape(-1), minlength=N) for q in Q)[:, None]
    pairs, d = sum(pair_counts(q, N) for q in Q), max(1, sum(np.max([q.shape for q in Q], 0) > 1))
    return (pairs + smoothing) / np.maximum(2 * d * statecount + N * smoothing, 1e-300)


def covariances(lattices, Q, mu):
    """Return Sigma: the mean of (o - mu)(o - mu)' over the nodes of each state."""
    q = np.concatenate([q.reshape(-1) for q in Q])
    y = flat(lattices) - mu[q]
    return np.stack([y[q == j].T @ y[q == j] / max(1, (q == j).sum()) for j in range(len(mu))])


def evaluation(A, B, Sigma, w, o, alpha=1.0, k="neighbours"):
    """Return log P(O | eta) in nats, for states decoded with w (Algorithms 1, 5)."""
    _, q = decoding(B, w, o)
    b = log(B)[q, o] if Sigma is None else log_f(o, q, B, Sigma)
    return (b + pair_terms(q, A, alpha, k)).sum()


def log_f(o, q, mu, Sigma):
    """Return log f(o | mu, Sigma) of each node, the normal density of its state."""
    y = o - mu[q]
    distance = (y * np.linalg.solve(Sigma[q], y[..., None])[..., 0]).sum(axis=-1)
    return -0.5 * (distance + np.linalg.slogdet(2 * np.pi * Sigma)[1][q])


def pair_terms(q, A, alpha=1.0, k="neighbours"):
    """Return half the sum over R(t) of log alpha + log a(q_t, q_r) - log k, for each node."""
    terms, sums, R = (np.zeros(q.shape) for _ in range(3))
    for t, r in neighbours(q.ndim):
        terms[t] += log(A[q[t], q[r]])
        sums[t] += A[q[t], q[r]]
        R[t] += 1
    sums = A.sum(axis=1)[q] if k == "states" else sums  # the paper prints the sum over R(t)
    there = (R > 0) & (terms > -np.inf)
    terms[there] += R[there] * (log(alpha) - log(sums))[there]
    return terms / 2


def local_alpha(q, N, w, alpha):
    """Return the Markov correction of each node: the more inert its window, the nearer alpha."""
    least = 1 / np.sqrt(N)
    h = (local_inertia(q, N, w) - least) / (1 - least) if N > 1 else np.ones(q.shape)
    return alpha**h


def associativity(A):
    """Return the share of A on its diagonal: 1/N by chance. The model applies from 0.5 on."""
    return np.trace(A) / np.sum(A)


def local_inertia(q, N, w):
    """Return the root of the sum of squared shares of states in each window."""
    return np.sqrt(squares(signature(q, w, N)))


def inertia(Q, N, w):
    """Return the mean over all nodes: 1/sqrt(N) to 1. The model applies from 0.9 on."""
    return np.concatenate([local_inertia(q, N, w).reshape(-1) for q in Q]).mean()
