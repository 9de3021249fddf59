"""Its rows of the table of synonyms."""

ROWS = (
    "mrf, random field, ising, gibbs, potts, playground: bench",
    "simulation, bias, variance, laboratory, lab: bench",
)
