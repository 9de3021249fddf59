"""Inference in a Markov random field: likelihoods of single nodes, and potentials of neighbours."""
