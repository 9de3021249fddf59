"""Pairwise nearest neighbour: k-d tree buckets for many clusters, a cost matrix for few.

Loops stand where numpy has a function: those compile in a tenth of the time.
"""

import numpy as np

from latviz.core.kernels.compiler import njit


@njit(nogil=True, cache=True)
def equal_rows(bits, i, j):
    """Return whether two rows are the same."""
    c = 0
    while c < bits.shape[1] and bits[i, c] == bits[j, c]:
        c += 1
    return c == bits.shape[1]


@njit(nogil=True, cache=True)
def merge_equal(points, bits, table, first):
    """Return the number of each row among the distinct rows, and how many these are.

    They are numbered in order of appearance; ``first[k]`` becomes the row where ``k`` appears.
    ``bits`` are the points seen as integers; ``table`` is an open hash table of a power of two of
    entries, all -1.
    """
    n, channels = points.shape
    mask = np.uint64(table.size - 1)
    number = np.empty(n, np.int64)
    n_distinct = 0
    for i in range(n):
        key = np.uint64(1469598103934665603)
        for c in range(channels):
            key = (key ^ bits[i, c]) * np.uint64(1099511628211)
            key ^= key >> np.uint64(29)
        slot = key & mask
        while True:
            k = table[slot]
            if k < 0:
                table[slot] = n_distinct
                first[n_distinct] = i
                number[i] = n_distinct
                n_distinct += 1
                break
            if equal_rows(bits, first[k], i):
                number[i] = k
                break
            slot = (slot + np.uint64(1)) & mask
    return number, n_distinct


@njit(nogil=True, cache=True)
def widest_axis(centroids, low, high):
    """Return the axis along which the clusters low to high spread most."""
    channels = centroids.shape[1]
    least, most = centroids[low].copy(), centroids[low].copy()
    for k in range(low + 1, high):
        for c in range(channels):
            least[c] = min(least[c], centroids[k, c])
            most[c] = max(most[c], centroids[k, c])
    axis = 0
    for c in range(1, channels):
        if most[c] - least[c] > most[axis] - least[axis]:
            axis = c
    return axis


@njit(nogil=True, cache=True)
def swap(centroids, weights, i, j):
    """Exchange two clusters."""
    for c in range(centroids.shape[1]):
        centroids[i, c], centroids[j, c] = centroids[j, c], centroids[i, c]
    weights[i], weights[j] = weights[j], weights[i]


@njit(nogil=True, cache=True)
def select(centroids, weights, axis, low, high, middle):
    """Reorder clusters low to high so that ``middle`` splits them by a coordinate (quickselect)."""
    left, right = low, high - 1
    while left < right:
        pivot = centroids[(left + right) // 2, axis]
        i, j = left, right
        while i <= j:
            while centroids[i, axis] < pivot:
                i += 1
            while centroids[j, axis] > pivot:
                j -= 1
            if i <= j:
                swap(centroids, weights, i, j)
                i += 1
                j -= 1
        if middle <= j:
            right = j
        elif middle >= i:
            left = i
        else:
            return


@njit(nogil=True, cache=True)
def split_to(centroids, weights, low, high, most, starts):
    """Split clusters low to high at medians of the widest axes until no part has over ``most``.

    The clusters are moved, so that parts are contiguous: far cheaper for the memory than an index
    of them. Writes where each part begins to ``starts``; returns the number of parts.
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
        stack[depth, 0], stack[depth, 1] = middle, high
        stack[depth + 1, 0], stack[depth + 1, 1] = low, middle
        depth += 2
    return n_parts


@njit(nogil=True, cache=True)
def merge_cost(centroids, weights, i, j):
    """Return n_i n_j / (n_i + n_j) ||c_i - c_j||^2."""
    squares = 0.0
    for c in range(centroids.shape[1]):
        difference = centroids[i, c] - centroids[j, c]
        squares += difference * difference
    return weights[i] * weights[j] / (weights[i] + weights[j]) * squares


@njit(nogil=True, cache=True)
def propose(centroids, weights, start, size, bucket, pairs, costs):
    """Write the cheapest pair of a bucket and its cost."""
    costs[bucket] = np.inf
    for a in range(start, start + size - 1):
        for b in range(a + 1, start + size):
            cost = merge_cost(centroids, weights, a, b)
            if cost < costs[bucket]:
                costs[bucket] = cost
                pairs[bucket, 0], pairs[bucket, 1] = a, b


@njit(nogil=True, cache=True)
def propose_all(centroids, weights, starts, sizes, pairs, costs, first, last):
    """Let the buckets first to last propose."""
    for bucket in range(first, last):
        propose(centroids, weights, starts[bucket], sizes[bucket], bucket, pairs, costs)


@njit(nogil=True, cache=True)
def merge_chosen(centroids, weights, starts, sizes, pairs, costs, chosen, first, last):
    """Merge the proposals of the chosen buckets among first to last; let those propose anew."""
    for bucket in range(first, last):
        if chosen[bucket]:
            a, b = pairs[bucket]
            total = weights[a] + weights[b]
            sizes[bucket] -= 1
            end = starts[bucket] + sizes[bucket]
            for c in range(centroids.shape[1]):
                moment = weights[a] * centroids[a, c] + weights[b] * centroids[b, c]
                centroids[a, c] = moment / total
                centroids[b, c] = centroids[end, c]
            weights[a] = total
            weights[b] = weights[end]
            propose(centroids, weights, starts[bucket], sizes[bucket], bucket, pairs, costs)


@njit(nogil=True, cache=True, fastmath={"nnan", "nsz"})
def least_of(values, gone):
    """Return the position of the least of ``values + gone``, the first of ties.

    ``gone`` is infinite at what is out of the running. There is no NaN, so that it vectorizes.
    """
    least = np.inf
    for k in range(values.size):
        least = min(least, values[k] + gone[k])
    position = 0
    while values[position] + gone[position] != least:
        position += 1
    return position


@njit(nogil=True, cache=True)
def cost_matrix(centroids, weights):
    """Return the costs of all pairs, infinite on the diagonal."""
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


@njit(nogil=True, cache=True)
def unite(matrix, weights, i, j):
    """Make row and column i the costs of the union of i and j.

    The cost is Ward's, so that of the union follows from the parts' (Lance and Williams 1967).
    """
    between, mass, other_mass = matrix[i, j], weights[i], weights[j]
    row, other = matrix[i], matrix[j]
    row[i] = row[j] = other[i] = other[j] = 0.0
    for k in range(weights.size):
        parts = (mass + weights[k]) * row[k] + (other_mass + weights[k]) * other[k]
        cost = (parts - weights[k] * between) / (mass + other_mass + weights[k])
        row[k] = max(cost, 0.0)
    row[i] = np.inf
    for k in range(weights.size):
        matrix[k, i] = row[k]
    weights[i] += other_mass


@njit(nogil=True, cache=True)
def without_gone(matrix, gone, neighbour):
    """Return the positions still in the running, their matrix and their neighbours' positions."""
    kept, place, n_kept = np.empty(gone.size, np.int64), np.empty(gone.size, np.int64), 0
    for k in range(gone.size):
        if gone[k] == 0.0:
            kept[n_kept], place[k] = k, n_kept
            n_kept += 1
    kept = kept[:n_kept]
    smaller = np.empty((kept.size, kept.size + 8))[:, : kept.size]
    for a in range(kept.size):
        for b in range(kept.size):
            smaller[a, b] = matrix[kept[a], kept[b]]
    return kept, smaller, place[neighbour[kept]]


@njit(nogil=True, cache=True)
def merge_all(centroids, weights, merges, costs):
    """Merge exactly, always the cheapest pair, down to one cluster.

    Merge ``s`` joins the nodes ``merges[s]`` into node ``n + s``; nodes below n are the clusters.
    """
    n_clusters = weights.size
    matrix = cost_matrix(centroids, weights)
    weights, nodes = weights.copy(), np.arange(n_clusters)
    gone = np.zeros(n_clusters)
    neighbour, least = np.empty(n_clusters, np.int64), np.empty(n_clusters)
    for k in range(n_clusters):
        neighbour[k] = least_of(matrix[k], gone)
        least[k] = matrix[k, neighbour[k]]
    for step in range(n_clusters - 1):
        if 2 * (n_clusters - step) <= weights.size:
            kept, matrix, neighbour = without_gone(matrix, gone, neighbour)
            weights, nodes, least, gone = weights[kept], nodes[kept], least[kept], gone[kept]
        i = least_of(least, gone)
        i, j = min(i, neighbour[i]), max(i, neighbour[i])
        merges[step, 0], merges[step, 1] = nodes[i], nodes[j]
        costs[step] = matrix[i, j]
        nodes[i] = n_clusters + step
        gone[j] = np.inf
        unite(matrix, weights, i, j)
        for k in range(weights.size):
            if gone[k] == 0.0:
                if neighbour[k] == i or neighbour[k] == j or k == i:
                    neighbour[k] = least_of(matrix[k], gone)
                    least[k] = matrix[k, neighbour[k]]
                elif matrix[i, k] < least[k]:
                    neighbour[k], least[k] = i, matrix[i, k]


@njit(nogil=True, cache=True)
def fill_nodes(centroids, weights, merges, n):
    """Fill in the centroids and weights of the nodes n and up, the unions of ``merges``."""
    for step in range(n - 1):
        i, j = merges[step]
        total = weights[i] + weights[j]
        weights[n + step] = total
        for c in range(centroids.shape[1]):
            moment = weights[i] * centroids[i, c] + weights[j] * centroids[j, c]
            centroids[n + step, c] = moment / total
