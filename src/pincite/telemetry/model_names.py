"""Choose the label of a model in metrics: its name, or `other`.

People may type any name of a model into a question. A name becomes a label only when it is set in the settings or when
a model of that name has answered, and only so many names do.
"""

import threading

OTHER = "other"
_MOST = 30


class ModelNames:
    """The names of models that may be labels."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._known: set[str] = set()
        self._lock = threading.Lock()

    def admit(self, name: str) -> None:
        """Allow a name as a label, if there is room for it."""
        if name and name not in self._known:
            with self._lock:
                if len(self._known) < self._most:
                    self._known.add(name)

    def choose(self, name: str) -> str:
        """Return the label of a model."""
        return name if name in self._known else OTHER


MODELS = ModelNames()
