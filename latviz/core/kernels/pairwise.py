"""Pairwise nearest neighbour: k-d tree buckets for many clusters, a cost matrix for few.

A cluster is its centroid, a row of ``centroids`` ``(n, M)``, and its weight. The cost of a merge is
n_i n_j / (n_i + n_j) ||c_i - c_j||^2, the increase of the squared error.

Loops are used instead of numpy functions because they compile in a tenth of the time. Places are
unsigned where they are used: a signed index is tested each time for counting from the end.
"""

import numpy as np

from latviz.core.kernels.compiler import callee, njit


@callee()
def equal_rows(bits, i, j):
    """Return if rows i and j of bits (n, M) uint64 are equal."""
    c = 0
    while c < bits.shape[1] and bits[i, c] == bits[j, c]:
        c += 1
    return c == bits.shape[1]


@njit(nogil=True)
def merge_equal(bits, table, first, keys):
    """Return each row's number (n,) among distinct rows, by first appearance, and their count."""
    # bits (n, M) uint64: equal rows are equal bit by bit. table, int64: an open hash table, more
    # than n entries of -1, a power of two. first (n,) int64 and keys (n,) uint64, written: the
    # first row and the hash of each number. The hash follows from the values alone, so that an
    # order by it is repeatable
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
    """Return if row i of points (n, M) has smaller values than row j, which differs."""
    c = 0
    while points[i, c] == points[j, c]:
        c += 1
    return points[i, c] < points[j, c]


@njit(nogil=True)
def sort_nearly(points, keys, rows, numbers):
    """Sort distinct rows by key, and those of one key by their values (insertion sort)."""
    # points (n, M) float64; keys (n_distinct,) uint64, nearly sorted; rows and numbers int64 move
    # along
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
    """Return the axis along which clusters low to high spread most, the first of ties."""
    # centroids (n, M) float64, here and below
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
    """Move clusters low to high so that ``middle`` splits them by a coordinate (quickselect)."""
    # Before it are those of less or equal coordinate, from it on those of greater or equal
    left, right, along = low, high - 1, centroids[:, axis]
    # ``middle`` is within left to right; values to the left are at most those inside, values to the
    # right at least.
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
    """Split clusters at medians of the widest axes until no part has more than ``most``."""
    # Returns the number of parts; writes the start of each to starts, int64. The clusters are
    # moved, so that parts are contiguous: far faster for the memory than an index
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
    """Return n_i n_j / (n_i + n_j) ||c_i - c_j||^2 of clusters i and j."""
    i, j, squares = np.uint64(i), np.uint64(j), 0.0
    for c in range(centroids.shape[1]):
        difference = centroids[i, c] - centroids[j, c]
        squares += difference * difference
    return weights[i] * weights[j] / (weights[i] + weights[j]) * squares


@callee()
def propose(centroids, weights, start, size, bucket, pairs, costs):
    """Write the cheapest pair of a bucket of clusters, and its cost: infinite without one."""
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
    """Propose the cheapest pairs of the buckets first to last; see `propose`."""
    # starts and sizes (n_buckets,) int64: where a bucket begins, and the clusters that it still
    # holds
    for bucket in range(first, last):
        propose(centroids, weights, starts[bucket], sizes[bucket], bucket, pairs, costs)


@njit(nogil=True)
def choose(costs, limit, n_ties, chosen, merge_costs):
    """Mark proposals below ``limit`` as chosen; write their costs; return their number."""
    # Of just that cost the first n_ties are chosen too
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
    """Merge proposals of the chosen buckets among first to last; these buckets propose again."""
    # The union takes the place of the first of a pair, the bucket's last cluster that of the
    # second, so that buckets stay contiguous
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
    """Return the cost below which the cheaper half is merged, and the number of ties."""
    # At most ``most`` are merged. costs (n_buckets,), infinite without a proposal; room (2,
    # n_buckets or more) for `select`
    start = n = np.int64(0)  # for a literal, what is called would be compiled again
    for k in range(costs.size):
        if costs[k] < np.inf:
            room[0, n] = costs[k]
            n += 1
    quota = min((n + 1) // 2, most)
    select(room[0].reshape(-1, 1), room[1], start, start, n, quota - 1)
    limit, n_ties = room[0, quota - 1], 0
    for k in range(quota):
        n_ties += room[0, k] == limit
    return limit, n_ties


@callee()
def close_ranks(centroids, weights, starts, sizes, n_buckets):
    """Move the clusters that buckets still hold to the front, in their order."""
    n = 0
    for bucket in range(n_buckets):
        for k in range(starts[bucket], starts[bucket] + sizes[bucket]):
            for c in range(centroids.shape[1]):
                centroids[n, c] = centroids[k, c]
            weights[n] = weights[k]
            n += 1


@njit(nogil=True)
def merge_few(centroids, weights, target, most, merge_costs):
    """Build buckets, and merge in them until ``target`` clusters are left, in front."""
    # On one thread: with few clusters a step takes less time than starting others. target is half
    # of them at least; ``most`` is the initial size of a bucket; merge_costs gets the costs
    n, n_merged, first = weights.size, 0, np.int64(0)
    # Not two rows of one array, whose layout is another to Numba: all would be compiled again
    starts, sizes = np.empty(n // 4 + 2, np.int64), np.empty(n // 4 + 2, np.int64)
    n_buckets = split_to(centroids, weights, first, n, most, starts)
    pairs, chosen = np.empty((n_buckets, 2), np.int64), np.empty(n_buckets, np.bool_)
    costs, room = np.empty(n_buckets), np.empty((2, n_buckets))
    for bucket in range(n_buckets):
        end = starts[bucket + 1] if bucket + 1 < n_buckets else n
        sizes[bucket] = end - starts[bucket]
    propose_all(centroids, weights, starts, sizes, pairs, costs, first, n_buckets)
    while n - n_merged > target:
        limit, n_ties = cheaper_half(costs, room, n - n_merged - target)
        n_merged += choose(costs, limit, n_ties, chosen, merge_costs[n_merged:])
        merge_chosen(centroids, weights, starts, sizes, pairs, costs, chosen, first, n_buckets)
    close_ranks(centroids, weights, starts, sizes, n_buckets)


@callee(fastmath={"nnan", "nsz"})
def least_of(values, gone):
    """Return the position of the least of ``values + gone``, the first of ties."""
    # gone is infinite at merged clusters. There is no NaN, so that it vectorises. Two passes, one
    # for the value and one for its place, vectorise; one pass does not.
    least = np.inf
    for k in range(values.size):
        least = min(least, values[k] + gone[k])
    position = 0
    while values[position] + gone[position] != least:
        position += 1
    return position


@callee()
def cost_matrix(centroids, weights):
    """Return the costs (n, n) float64 of all pairs, infinite on the diagonal; see `merge_cost`."""
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
    """Make row and column i of matrix (n, n) the costs of the union of i and j, which drops out."""
    # The cost is Ward's, so that of the union follows from the parts' (Lance and Williams 1967)
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
    """Move unmerged clusters to the front, in order; return their number."""
    # No place is written before its content has moved, so no second matrix is needed. gone (n,) is
    # infinite at merged clusters, else 0; least and neighbour (n,): cost and partner of the
    # cheapest pair
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
    """Merge exactly, always the cheapest pair, down to one cluster."""
    # Written: merges (n - 1, 2) int64, where merge s joins two nodes into node n + s and nodes
    # below n are the clusters; costs (n - 1,) float64. centroids (n, M), masses (n,)
    n_clusters = masses.size
    matrix = cost_matrix(centroids, masses)
    weights, gone, least = np.empty((3, n_clusters))
    nodes, neighbour = np.empty((2, n_clusters), np.int64)
    for k in range(n_clusters):
        weights[k], nodes[k], gone[k] = masses[k], k, 0.0
    for k in range(n_clusters):
        neighbour[k] = least_of(matrix[k], gone)
        least[k] = matrix[k, neighbour[k]]
    # Before each step, for all positions not merged yet, ``neighbour[k]`` is the partner of k's
    # cheapest pair and ``least[k]`` its cost, so the cheapest of all is the least of n numbers.
    for step in range(n_clusters - 1):
        # Half are merged: pack the others, so that fewer are searched.
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
                # Only clusters with i or j as their partner must search all others again.
                if neighbour[k] == i or neighbour[k] == j or k == i:
                    neighbour[k] = least_of(matrix[k], gone)
                    least[k] = matrix[k, neighbour[k]]
                elif matrix[i, k] < least[k]:
                    neighbour[k], least[k] = i, matrix[i, k]


@njit(nogil=True)
def fill_nodes(centroids, weights, merges, n):
    """Fill in centroids (2 n - 1, M) and weights of nodes n and up, the unions of ``merges``."""
    for step in range(n - 1):
        i, j = merges[step]
        total = weights[i] + weights[j]
        weights[n + step] = total
        for c in range(centroids.shape[1]):
            moment = weights[i] * centroids[i, c] + weights[j] * centroids[j, c]
            centroids[n + step, c] = moment / total
