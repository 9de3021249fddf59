"""The oracle of lattices with unknown nodes, in plain loops: only known nodes are there."""

import math

import numpy as np

from tests import naive


def window(known, t, w):
    """Return the known nodes of the window of a node."""
    return [s for s in naive.window_nodes(known.shape, t, w) if known[s]]


def neighbours(known, t):
    return [r for r in naive.neighbours(known.shape, t) if known[r]]


def signatures(values, known, w, M=None):
    """Return the shares of M symbols, or the mean vectors, of the windows of known nodes."""
    x = np.zeros((*known.shape, M or values.shape[-1]))
    for t in naive.nodes(known.shape):
        for s in window(known, t, w):
            x[t] += np.eye(M)[int(values[s])] if M else values[s]
        x[t] /= max(1, len(window(known, t, w)))
    return x


def pair_counts(states, known, N):
    counts = np.zeros((N, N), dtype=int)
    for t in naive.nodes(known.shape):
        for r in neighbours(known, t) if known[t] else []:
            counts[int(states[t]), int(states[r])] += 1
    return counts


def pair_terms(states, known, A, alpha, normalizer):
    """Return the second term of every known node, and 0 of others."""
    terms = np.zeros(known.shape)
    for t in naive.nodes(known.shape):
        if not known[t] or not neighbours(known, t):
            continue
        near = [float(A[int(states[t])][int(states[r])]) for r in neighbours(known, t)]
        k = sum(near) if normalizer == "neighbours" else sum(map(float, A[int(states[t])]))
        logs = [naive.log(alpha[t]) + naive.log(a) - naive.log(k) for a in near]
        terms[t] = sum(logs) / 2
    return terms


def local_inertia(states, known, N, w):
    found = np.full(known.shape, np.nan)
    for t in naive.nodes(known.shape):
        if known[t]:
            inside = [int(states[s]) for s in window(known, t, w)]
            found[t] = math.sqrt(sum((inside.count(j) / len(inside)) ** 2 for j in range(N)))
    return found
