"""The oracle of lives: large regions of state maps from step to step, in plain loops over sets."""

from tests.naive_regions import components

LARGE, STAYS, SAME, OTHER, TAKES, RETURNS, GAP = 0.002, 0.001, 0.15, 0.6, 0.3, 0.5, 4


def jaccard(a, b):
    return len(a & b) / len(a | b)


def large_regions(states, dimensions, before):
    """Return the large regions as sets of nodes, in the order of their first nodes."""
    parts = [set(p) for p in components(states, dimensions) if states[p[0]] != 255]
    n, kept = sum(map(len, parts)), set().union(*before)
    return [
        part
        for part in parts
        if len(part) > LARGE * n or (len(part) > STAYS * n and 2 * len(part & kept) > len(part))
    ]


def greedy(pairs, least):
    """Return pairs of the largest values, each of whose ends is in one."""
    found = {}
    for value, i, j in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if value > least and i not in found and j not in found.values():
            found[i] = j
    return found


def most_of(part, others):
    """Return which other set has most of a part, if it has enough; else None."""
    shared = [len(part & other) for other in others]
    best = shared.index(max(shared)) if shared else None
    return best if best is not None and shared[best] > TAKES * len(part) else None


class Life:
    """A life: its nodes by steps, its ends, and what it comes from and goes into."""

    def __init__(self, start, out_of):
        self.parts, self.start, self.out_of = {}, start, out_of
        self.end = self.into = None


def lives(maps, dimensions):
    """Return the lives of the large regions of maps, in the order of their births."""
    found, before, names = [], [], []
    for k, states in enumerate(maps):
        now = large_regions(states, dimensions, before)
        kind = [states[min(part)] for part in now]
        was = [maps[k - 1][min(part)] for part in before]
        pairs = [
            (jaccard(a, b) * (1 if was[i] == kind[j] else OTHER), i, j)
            for i, a in enumerate(before)
            for j, b in enumerate(now)
        ]
        own = {j: names[i] for i, j in greedy(pairs, SAME).items()}
        returns = [
            (jaccard(life.parts[max(life.parts)], part), n, j)
            for n, life in enumerate(found)
            for j, part in enumerate(now)
            if j not in own and 2 <= k - max(life.parts) <= GAP
        ]
        for n, j in greedy(returns, RETURNS).items():
            own[j] = found[n]
            found[n].end = found[n].into = None
        for j, part in enumerate(now):
            if j not in own:
                source = most_of(part, before)
                own[j] = Life(k, None if source is None else names[source])
                found.append(own[j])
            own[j].parts[k] = part
        for i, part in enumerate(before):
            if names[i] not in own.values():
                taker = most_of(part, now)
                names[i].end, names[i].into = k, None if taker is None else own[taker]
        before, names = now, [own[j] for j in range(len(now))]
    return found
