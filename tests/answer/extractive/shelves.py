"""Small libraries to ask about, and a way to ask without any model."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite import events
from pincite.answer.services import Services
from pincite.errors import EmbeddingError
from tests.turns import ask, final, open_test_services

BRIDGE = """# The Garrow Bridge

## History

The Garrow Bridge was designed by Eleanor Whitfield, an engineer from Leeds. Construction began in March 1931 and the
bridge opened to traffic on 14 June 1934. It replaced a ferry that had run since 1788.

The total cost was £412,000, of which the county paid two thirds.

## Structure

The bridge is a steel arch bridge with a main span of 218 metres. The deck stands 31 metres above the river at low tide.

## Use

Lorries over 18 tonnes are not allowed on the bridge. Cyclists may use the footpath if they dismount.

To obtain a permit for an abnormal load, the following documents are required:

- the vehicle registration certificate
- a route plan signed by the haulier
- proof of insurance for at least £2 million

## Maintenance

How to report a fault:

1. Call the control room on the posted number.
2. Give the number of the nearest lamp post.
3. Stay away from the damaged part until a warden arrives.

The bridge was closed in 1987 because corrosion had weakened the hangers. Repainting takes place every eight years.

| Year | Vehicles per day | Toll income |
|---|---|---|
| 2019 | 14,200 | 3,100,000 |
| 2020 | 9,800 | 2,050,000 |
"""

PONT = """# Le pont de Gravelle

Le pont de Gravelle est un pont suspendu qui franchit la Marne. Il a été construit en 1897 par
l'ingénieur Paul Séjourné.

## Circulation

La circulation des véhicules de plus de 3,5 tonnes est interdite. Les cyclistes peuvent emprunter le trottoir à
condition de rouler au pas.

Pour obtenir une dérogation, il faut fournir les pièces suivantes :

- la carte grise du véhicule ;
- une attestation d'assurance ;
- le plan du trajet.

## Entretien

Le pont est repeint tous les dix ans. Les travaux de 2015 ont coûté 2,4 millions d'euros, financés par le département.

La passerelle a été fermée parce que les câbles étaient rouillés.
"""

TEXTS = {"bridge.md": BRIDGE, "pont.md": PONT}


def shelf(tmp_path: Path, texts: dict[str, str] | None = None) -> Services:
    """Services with these texts and no model but the one that quotes."""
    scripted = open_test_services(tmp_path, texts or TEXTS)
    return Services(scripted.library, scripted.search, None)


def answered(services: Services, question: str) -> events.Answer:
    return final(ask(services, question))


class Broken:
    """An embedder whose server has gone."""

    name = "multilingual-e5-small"
    dimension = 8

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise EmbeddingError("The endpoint does not answer.", "Check embedding.url.")

    passages = queries


class Knowing:
    """An embedder for which one sentence is nearer to any question than all others."""

    name = "multilingual-e5-small"
    dimension = 2

    def __init__(self, nearest: str) -> None:
        self._nearest = nearest

    def queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[1.0, 0.0]] * len(texts), np.float32)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([[0.90 if self._nearest in text else 0.82, 0.0] for text in texts], np.float32)
