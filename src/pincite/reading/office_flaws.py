"""The errors that a flaw of an Office file raises in the code that reads or draws one of its parts."""

OFFICE_FLAWS = (KeyError, ValueError, AttributeError, TypeError, IndexError, NotImplementedError)
