"""Maps of one number a node."""

import numpy as np

from latviz.core.data.data_set import DataSet
from latviz.core.inference.field import Field
from latviz.core.model.belief import belief_entropy
from latviz.core.model.evaluation import DataSetEvaluation
from latviz.core.model.indices import local_inertia
from latviz.core.model.models import Model
from latviz.core.model.residuals import Residuals
from latviz.core.progress import Progress
from latviz.core.types import States
from latviz.engine.data_sets import by_lattices, of_picture
from latviz.engine.node_maps import NodeMap
from latviz.engine.node_maps import node_map as colored
from latviz.engine.parameters import Decoder
from latviz.engine.picture import Picture
from latviz.engine.stages.flow import flow


@flow.either
def node_map(map_kind: str) -> str:
    """Choose the map that is shown."""
    return f"map_of_{map_kind}"


@flow.stage
def map_of_likelihood(picture: Picture, evaluation: DataSetEvaluation) -> NodeMap:
    """Colour the log-likelihood of each node, in bits."""
    bits = of_picture(evaluation.node_log_likelihood, picture) / np.float32(np.log(2.0))
    return colored("likelihood", bits.astype(np.float32, copy=False))


@flow.stage
def map_of_inertia(
    picture: Picture, shown_data: DataSet, states: States, n_states: int, window: int
) -> NodeMap:
    """Colour the inertia of each node's window."""
    found = local_inertia(by_lattices(states, shown_data), n_states, window)
    return colored("inertia", of_picture(found, picture))


@flow.either
def map_of_doubt(decoder: Decoder) -> str:
    """Choose whose beliefs are looked at."""
    return "doubt_of_windows" if decoder == "nearest" else "doubt_of_nodes"


@flow.stage
def doubt_of_windows(
    picture: Picture, shown_data: DataSet, model: Model, window: int, watch: Progress
) -> NodeMap:
    """Colour the entropy of each window's belief state, in bits."""
    found = belief_entropy(model, shown_data, window, progress=watch)
    return colored("doubt", of_picture(found, picture))


@flow.stage
def doubt_of_nodes(picture: Picture, fields: list[Field]) -> NodeMap:
    """Colour the entropy of each node's belief, in bits."""
    return colored("doubt", of_picture([field.entropies() for field in fields], picture))


@flow.stage
def map_of_resemblance(picture: Picture, residuals: Residuals) -> NodeMap:
    """Colour how much each node resembles its neighbours beyond their states; 0 without any."""
    return colored("resemblance", np.nan_to_num(of_picture(residuals.nodes, picture)))
