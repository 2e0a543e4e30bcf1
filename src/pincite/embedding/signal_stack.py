"""Keep the alternate signal stack of a thread, the memory on which the system calls the handlers of signals."""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class SignalStack(ctypes.Structure):
    """`stack_t` of the C library on Linux."""

    _fields_ = (("address", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t))


@contextmanager
def keep_signal_stack() -> Iterator[None]:
    """Give this thread its signal stack back at the end.

    Each processor engine of OpenVINO sets a stack of its own, and when it is removed it sets the one before it. If the
    first of two engines goes first, the second brings back the stack of the first, whose memory is gone: then Ctrl-C,
    or any other signal that Python handles, ends the process with a segmentation fault.
    """
    before = get_signal_stack()
    try:
        yield
    finally:
        if before is not None:
            ctypes.CDLL(None).sigaltstack(ctypes.byref(before), None)


def get_signal_stack() -> SignalStack | None:
    """Return the signal stack of this thread; None on systems other than Linux."""
    if sys.platform != "linux":
        return None
    stack = SignalStack()
    return None if ctypes.CDLL(None).sigaltstack(None, ctypes.byref(stack)) else stack
