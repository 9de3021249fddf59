"""Pairwise nearest neighbour: k-d tree buckets for many clusters, a cost matrix for few.

A cluster is its centroid, a row of ``centroids`` ``(n, M)``, and its weight. The cost of a merge is
n_i n_j / (n_i + n_j) ||c_i - c_j||^2, by which the squared error grows.

Loops stand where numpy has a function: those compile in a tenth of the time. Places are unsigned
where they are used: a signed one is asked each time whether it counts from the end.
"""

import numpy as np

from latviz.core.kernels.compiler import callee, njit


@callee()
def equal_rows(bits, i, j):
    """Return whether two rows are the same.

    Parameters
    ----------
    bits : ndarray, shape (n, M), uint64
        The rows, seen as integers.
    i, j : int
        The two.
    """
    c = 0
    while c < bits.shape[1] and bits[i, c] == bits[j, c]:
        c += 1
    return c == bits.shape[1]


@njit(nogil=True)
def merge_equal(bits, table, first, keys):
    """Return the number of each row among the distinct rows, (n,), and how many these are.

    They are numbered in order of appearance.

    Parameters
    ----------
    bits : ndarray, shape (n, M), uint64
        The rows, numbers seen as integers: equal ones are equal bit by bit.
    table : ndarray, int64
        An open hash table: a power of two of entries, more than n, all -1.
    first : ndarray, shape (n,), int64
        ``first[k]`` becomes the row where number k appears first.
    keys : ndarray, shape (n,), uint64
        ``keys[k]`` becomes the hash of row number k, which follows from its values alone.
    """
    n, channels = bits.shape
    mask, shift, size = np.uint64(table.size - 1), np.uint64(64), table.size
    while size > 1:
        size >>= 1
        shift -= np.uint64(1)
    number = np.empty(n, np.int64)
    n_distinct = 0
    for i in range(n):
        # Fowler, Noll and Vo's hash of the row, with a shift so that high bits reach low ones too;
        # whole numbers differ in high bits alone, so the slot is of the highest of a product.
        key = np.uint64(1469598103934665603)
        for c in range(channels):
            key = (key ^ bits[i, c]) * np.uint64(1099511628211)
            key ^= key >> np.uint64(29)
        slot = key * np.uint64(0x9E3779B97F4A7C15) >> shift
        while True:
            k = table[slot]
            if k < 0:
                table[slot] = n_distinct
                first[n_distinct], keys[n_distinct] = i, key
                number[i] = n_distinct
                n_distinct += 1
                break
            if equal_rows(bits, first[k], i):
                number[i] = k
                break
            slot = (slot + np.uint64(1)) & mask
    return number, n_distinct


@callee()
def comes_before(points, i, j):
    """Return whether a row has smaller values than another, which is not the same.

    Arguments are those of `sort_nearly`; ``i`` and ``j`` are the two.
    """
    c = 0
    while points[i, c] == points[j, c]:
        c += 1
    return points[i, c] < points[j, c]


@njit(nogil=True)
def sort_nearly(points, keys, rows, numbers):
    """Sort distinct rows by their keys, and those of one key by their values (insertion sort).

    Parameters
    ----------
    points : ndarray, shape (n, M), float64
        The rows.
    keys : ndarray, shape (n_distinct,), uint64
        Their keys, nearly sorted; sorted.
    rows, numbers : ndarray, shape (n_distinct,), int64
        Where they are, and their numbers; moved with the keys.
    """
    for end in range(1, keys.size):
        key, row, number, place = keys[end], rows[end], numbers[end], np.uint64(end)
        while place > 0:
            before = place - np.uint64(1)
            if key > keys[before]:
                break
            if key == keys[before] and not comes_before(points, row, rows[before]):
                break
            keys[place], rows[place] = keys[before], rows[before]
            numbers[place] = numbers[before]
            place = before
        keys[place], rows[place], numbers[place] = key, row, number


@callee(fastmath={"nnan", "nsz"})
def widest_axis(centroids, low, high):
    """Return the axis along which the clusters low to high spread most, the first of ties.

    Parameters
    ----------
    centroids : ndarray, shape (n, M), float64
        The clusters' means.
    low, high : int
        The first of them, and the one after the last.
    """
    axis, widest = 0, -1.0
    for c in range(centroids.shape[1]):
        least = most = centroids[low, c]
        for k in range(np.uint64(low), np.uint64(high)):
            least, most = min(least, centroids[k, c]), max(most, centroids[k, c])
        if most - least > widest:
            axis, widest = c, most - least
    return axis


@callee()
def select(centroids, weights, axis, low, high, middle):
    """Move clusters low to high so that ``middle`` splits them by a coordinate (quickselect).

    Parameters
    ----------
    centroids : ndarray, shape (n, M), float64
        The clusters' means.
    weights : ndarray, shape (n,), float64
        Their weights.
    axis : int
        The coordinate.
    low, high : int
        The first of them, and the one after the last.
    middle : int
        Before it come those of less or equal coordinate, from it on those of greater or equal.
    """
    left, right, along = low, high - 1, centroids[:, axis]
    # ``middle`` is within left to right; what is left of them is no greater than what is in them,
    # what is right of them no less.
    while left < right:
        pivot = along[(left + right) // 2]
        i, j = left, right
        while i <= j:
            while along[np.uint64(i)] < pivot:
                i += 1
            while along[np.uint64(j)] > pivot:
                j -= 1
            if i <= j:
                one, other = np.uint64(i), np.uint64(j)
                for c in range(np.uint64(centroids.shape[1])):
                    centroids[one, c], centroids[other, c] = centroids[other, c], centroids[one, c]
                weights[one], weights[other] = weights[other], weights[one]
                i += 1
                j -= 1
        if middle <= j:
            right = j
        elif middle >= i:
            left = i
        else:
            return


@njit(nogil=True)
def split_to(centroids, weights, low, high, most, starts):
    """Split clusters at medians of the widest axes until no part has more than some.

    The clusters are moved, so that parts are contiguous: far cheaper for the memory than an index
    of them. Returns the number of parts.

    Parameters
    ----------
    centroids : ndarray, shape (n, M), float64
        The clusters' means.
    weights : ndarray, shape (n,), float64
        Their weights.
    low, high : int
        The first of them, and the one after the last.
    most : int
        How many a part may have.
    starts : ndarray, int64
        Where each part begins, written.
    """
    stack = np.empty((128, 2), np.int64)
    stack[0, 0], stack[0, 1] = low, high
    depth, n_parts = 1, 0
    while depth > 0:
        depth -= 1
        low, high = stack[depth]
        if high - low <= most:
            starts[n_parts] = low
            n_parts += 1
            continue
        middle = (low + high) // 2
        axis = widest_axis(centroids, low, high)
        select(centroids, weights, axis, low, high, middle)
        # The left half comes off the stack first, so parts are found in the order of their places.
        stack[depth, 0], stack[depth, 1] = middle, high
        stack[depth + 1, 0], stack[depth + 1, 1] = low, middle
        depth += 2
    return n_parts


@callee()
def merge_cost(centroids, weights, i, j):
    """Return n_i n_j / (n_i + n_j) ||c_i - c_j||^2.

    Parameters
    ----------
    centroids : ndarray, shape (n, M), float64
        The clusters' means.
    weights : ndarray, shape (n,), float64
        Their weights.
    i, j : int
        The two.
    """
    i, j, squares = np.uint64(i), np.uint64(j), 0.0
    for c in range(centroids.shape[1]):
        difference = centroids[i, c] - centroids[j, c]
        squares += difference * difference
    return weights[i] * weights[j] / (weights[i] + weights[j]) * squares


@callee()
def propose(centroids, weights, start, size, bucket, pairs, costs):
    """Write the cheapest pair of a bucket and its cost.

    Parameters
    ----------
    centroids : ndarray, shape (n, M), float64
        The clusters' means.
    weights : ndarray, shape (n,), float64
        Their weights.
    start, size : int
        Where the bucket begins, and how many clusters it holds.
    bucket : int
        Its number.
    pairs : ndarray, shape (n_buckets, 2), int64
        The clusters of each bucket's pair, written for this one.
    costs : ndarray, shape (n_buckets,), float64
        Its cost, written; infinite if the bucket holds no pair.
    """
    least, one, other = np.inf, start, start
    for a in range(start, start + size - 1):
        for b in range(a + 1, start + size):
            cost = merge_cost(centroids, weights, a, b)
            if cost < least:
                least, one, other = cost, a, b
    costs[bucket] = least
    pairs[bucket, 0], pairs[bucket, 1] = one, other


@njit(nogil=True)
def propose_all(centroids, weights, starts, sizes, pairs, costs, first, last):
    """Let the buckets first to last propose.

    Parameters
    ----------
    centroids : ndarray, shape (n, M), float64
        The clusters' means.
    weights : ndarray, shape (n,), float64
        Their weights.
    starts, sizes : ndarray, shape (n_buckets,), int64
        Where each bucket begins, and how many clusters it still holds from there on.
    pairs : ndarray, shape (n_buckets, 2), int64
        The clusters of each bucket's cheapest pair.
    costs : ndarray, shape (n_buckets,), float64
        Its cost; infinite if the bucket holds no pair.
    first, last : int
        The buckets to do.
    """
    for bucket in range(first, last):
        propose(centroids, weights, starts[bucket], sizes[bucket], bucket, pairs, costs)


@njit(nogil=True)
def choose(costs, limit, n_ties, chosen, merge_costs):
    """Choose the proposals below a cost; write their costs and return how many they are.

    Parameters
    ----------
    costs : ndarray, shape (n_buckets,), float64
        The cost of each bucket's proposal; infinite if it has none.
    limit : float
        The cost.
    n_ties : int
        How many of just that cost are chosen too, those of the first buckets.
    chosen : ndarray, shape (n_buckets,), bool
        Which buckets' proposals are chosen, written.
    merge_costs : ndarray, float64
        Takes the costs of what is chosen, by bucket.
    """
    n_chosen = 0
    for bucket in range(costs.size):
        chosen[bucket] = costs[bucket] < limit
        if costs[bucket] == limit and n_ties > 0:
            chosen[bucket] = True
            n_ties -= 1
        if chosen[bucket]:
            merge_costs[n_chosen] = costs[bucket]
            n_chosen += 1
    return n_chosen


@njit(nogil=True)
def merge_chosen(centroids, weights, starts, sizes, pairs, costs, chosen, first, last):
    """Merge the proposals of the chosen buckets among first to last; let those propose anew.

    Parameters
    ----------
    centroids : ndarray, shape (n, M), float64
        The clusters' means.
    weights : ndarray, shape (n,), float64
        Their weights.
    starts, sizes : ndarray, shape (n_buckets,), int64
        Where each bucket begins, and how many clusters it still holds from there on.
    pairs : ndarray, shape (n_buckets, 2), int64
        The clusters of each bucket's cheapest pair.
    costs : ndarray, shape (n_buckets,), float64
        Its cost; infinite if the bucket holds no pair.
    chosen : ndarray, shape (n_buckets,), bool
        Which buckets merge.
    first, last : int
        The buckets to do.

    The union takes the place of the first of a pair, the bucket's last cluster that of the second.
    """
    for bucket in range(first, last):
        if chosen[bucket]:
            a, b = np.uint64(pairs[bucket, 0]), np.uint64(pairs[bucket, 1])
            total = weights[a] + weights[b]
            sizes[bucket] -= 1
            end = np.uint64(starts[bucket] + sizes[bucket])
            for c in range(centroids.shape[1]):
                moment = weights[a] * centroids[a, c] + weights[b] * centroids[b, c]
                centroids[a, c] = moment / total
                centroids[b, c] = centroids[end, c]
            weights[a] = total
            weights[b] = weights[end]
            propose(centroids, weights, starts[bucket], sizes[bucket], bucket, pairs, costs)


@njit(nogil=True)
def cheaper_half(costs, room, most):
    """Return below which cost proposals are merged, and how many of just that cost.

    Parameters
    ----------
    costs : ndarray, shape (n_buckets,), float64
        The cost of each bucket's proposal; infinite if it has none.
    room : ndarray, shape (2, n_buckets or more), float64
        Room for them, and for what `select` moves with them.
    most : int
        Those that are merged are the cheaper half, but no more than this.
    """
    n = 0
    for k in range(costs.size):
        if costs[k] < np.inf:
            room[0, n] = costs[k]
            n += 1
    quota = min((n + 1) // 2, most)
    select(room[0].reshape(-1, 1), room[1], 0, 0, n, quota - 1)
    limit, n_ties = room[0, quota - 1], 0
    for k in range(quota):
        n_ties += room[0, k] == limit
    return limit, n_ties


@callee()
def close_ranks(centroids, weights, starts, sizes, n_buckets):
    """Move the clusters that buckets still hold to the front, in their order.

    Arguments are those of `merge_chosen`.
    """
    n = 0
    for bucket in range(n_buckets):
        for k in range(starts[bucket], starts[bucket] + sizes[bucket]):
            for c in range(centroids.shape[1]):
                centroids[n, c] = centroids[k, c]
            weights[n] = weights[k]
            n += 1


@njit(nogil=True)
def merge_few(centroids, weights, target, most, merge_costs):
    """Build buckets, and merge in them until ``target`` clusters are left, which then come first.

    Many clusters are merged so on several threads, step by step. Of few each step would take less
    time than to call it.

    Parameters
    ----------
    centroids : ndarray, shape (n, M), float64
        The clusters' means.
    weights : ndarray, shape (n,), float64
        Their weights.
    target : int
        How many are to be left, half of them at least.
    most : int
        How many clusters a bucket has at first, at most.
    merge_costs : ndarray, float64
        Takes the costs of the merges.
    """
    n, n_merged = weights.size, 0
    starts, sizes = np.empty((2, n // 4 + 2), np.int64)
    n_buckets = split_to(centroids, weights, 0, n, most, starts)
    pairs, chosen = np.empty((n_buckets, 2), np.int64), np.empty(n_buckets, np.bool_)
    costs, room = np.empty(n_buckets), np.empty((2, n_buckets))
    for bucket in range(n_buckets):
        end = starts[bucket + 1] if bucket + 1 < n_buckets else n
        sizes[bucket] = end - starts[bucket]
    propose_all(centroids, weights, starts, sizes, pairs, costs, 0, n_buckets)
    while n - n_merged > target:
        limit, n_ties = cheaper_half(costs, room, n - n_merged - target)
        n_merged += choose(costs, limit, n_ties, chosen, merge_costs[n_merged:])
        merge_chosen(centroids, weights, starts, sizes, pairs, costs, chosen, 0, n_buckets)
    close_ranks(centroids, weights, starts, sizes, n_buckets)


@callee(fastmath={"nnan", "nsz"})
def least_of(values, gone):
    """Return the position of the least of ``values + gone``, the first of ties.

    ``gone`` is infinite at what is out of the running. There is no NaN, so that it vectorizes.
    """
    # Two passes, one for the value and one for its place, are many at a time; one pass is not.
    least = np.inf
    for k in range(values.size):
        least = min(least, values[k] + gone[k])
    position = 0
    while values[position] + gone[position] != least:
        position += 1
    return position


@callee()
def cost_matrix(centroids, weights):
    """Return the costs of all pairs, (n, n) float64, infinite on the diagonal.

    Arguments are those of `merge_cost`.
    """
    n, channels = centroids.shape
    coordinates = centroids.T.copy()
    matrix = np.zeros((n, n + 8))[:, :n]  # rows a power of two apart would share cache lines
    for i in range(n):
        row = matrix[i]
        for c in range(channels):
            for k in range(n):
                difference = coordinates[c, k] - coordinates[c, i]
                row[k] += difference * difference
        for k in range(n):
            row[k] *= weights[i] * weights[k] / (weights[i] + weights[k])
        row[i] = np.inf
    return matrix


@callee()
def union_costs(matrix, weights, i, j):
    """Make row and column i of the matrix the costs of the union of i and j.

    The cost is Ward's, so that of the union follows from the parts' (Lance and Williams 1967).

    Parameters
    ----------
    matrix : ndarray, shape (n, n), float64
        The costs of all pairs, changed.
    weights : ndarray, shape (n,), float64
        The clusters' weights; that of i becomes the union's.
    i, j : int
        The two; j is out of the running from now on.
    """
    between, mass, other_mass = matrix[i, j], weights[i], weights[j]
    row, other = matrix[i], matrix[j]
    row[i] = row[j] = other[i] = other[j] = 0.0  # not infinite: inf - inf would be NaN
    for k in range(weights.size):
        parts = (mass + weights[k]) * row[k] + (other_mass + weights[k]) * other[k]
        cost = (parts - weights[k] * between) / (mass + other_mass + weights[k])
        row[k] = max(cost, 0.0)
    row[i] = np.inf
    for k in range(weights.size):
        matrix[k, i] = row[k]
    weights[i] += other_mass


@callee()
def pack(matrix, gone, weights, least, nodes, neighbour):
    """Move what is still in the running to the front, in its order; return how many that are.

    No place is written before what it held has moved, so no second matrix is needed.

    Parameters
    ----------
    matrix : ndarray, shape (n, n), float64
        The costs of all pairs.
    gone : ndarray, shape (n,), float64
        Infinite at what is out of the running, else 0.
    weights, least : ndarray, shape (n,), float64
        The clusters' weights, and the cost of each one's cheapest pair.
    nodes, neighbour : ndarray, shape (n,), int64
        The clusters' nodes, and the partner of each one's cheapest pair.
    """
    kept, place, n_kept = np.empty(gone.size, np.int64), np.empty(gone.size, np.int64), 0
    for k in range(gone.size):
        if gone[k] == 0.0:
            kept[n_kept], place[k] = k, n_kept
            n_kept += 1
    for a in range(n_kept):
        k = kept[a]
        for b in range(n_kept):
            matrix[a, b] = matrix[k, kept[b]]
        weights[a], least[a], gone[a] = weights[k], least[k], 0.0
        nodes[a], neighbour[a] = nodes[k], place[neighbour[k]]
    return n_kept


@njit(nogil=True)
def merge_all(centroids, masses, merges, costs):
    """Merge exactly, always the cheapest pair, down to one cluster.

    Parameters
    ----------
    centroids : ndarray, shape (n, M), float64
        The clusters' means.
    masses : ndarray, shape (n,), float64
        Their weights.
    merges : ndarray, shape (n - 1, 2), int64
        Merge s joins the nodes ``merges[s]`` into node n + s; nodes below n are the clusters.
        Written.
    costs : ndarray, shape (n - 1,), float64
        The cost of each merge, written.
    """
    n_clusters = masses.size
    matrix = cost_matrix(centroids, masses)
    weights, gone, least = np.empty((3, n_clusters))
    nodes, neighbour = np.empty((2, n_clusters), np.int64)
    for k in range(n_clusters):
        weights[k], nodes[k], gone[k] = masses[k], k, 0.0
    for k in range(n_clusters):
        neighbour[k] = least_of(matrix[k], gone)
        least[k] = matrix[k, neighbour[k]]
    # Before each step, of all positions that are not gone, ``neighbour[k]`` is the partner of k's
    # cheapest pair and ``least[k]`` its cost, so the cheapest of all is the least of n numbers.
    for step in range(n_clusters - 1):
        # Half are gone: what is left is packed, so that there are fewer to look at.
        if 2 * (n_clusters - step) <= weights.size:
            n = pack(matrix, gone, weights, least, nodes, neighbour)
            matrix, gone, weights, least = matrix[:n, :n], gone[:n], weights[:n], least[:n]
            nodes, neighbour = nodes[:n], neighbour[:n]
        i = least_of(least, gone)
        i, j = min(i, neighbour[i]), max(i, neighbour[i])
        merges[step, 0], merges[step, 1] = nodes[i], nodes[j]
        costs[step] = matrix[i, j]
        nodes[i] = n_clusters + step
        gone[j] = np.inf
        union_costs(matrix, weights, i, j)
        for k in range(weights.size):
            if gone[k] == 0.0:
                # Only those who had i or j for a partner have to look at all others again.
                if neighbour[k] == i or neighbour[k] == j or k == i:
                    neighbour[k] = least_of(matrix[k], gone)
                    least[k] = matrix[k, neighbour[k]]
                elif matrix[i, k] < least[k]:
                    neighbour[k], least[k] = i, matrix[i, k]


@njit(nogil=True)
def fill_nodes(centroids, weights, merges, n):
    """Fill in the centroids and weights of the nodes n and up, the unions of ``merges``.

    Parameters
    ----------
    centroids : ndarray, shape (2 n - 1, M), float64
        The nodes' means; those of the clusters are there.
    weights : ndarray, shape (2 n - 1,), float64
        Their weights, likewise.
    merges : ndarray, shape (n - 1, 2), int64
        As `merge_all` wrote them.
    n : int
        The number of clusters.
    """
    for step in range(n - 1):
        i, j = merges[step]
        total = weights[i] + weights[j]
        weights[n + step] = total
        for c in range(centroids.shape[1]):
            moment = weights[i] * centroids[i, c] + weights[j] * centroids[j, c]
            centroids[n + step, c] = moment / total
