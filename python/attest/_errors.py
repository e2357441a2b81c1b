"""What the package raises."""


class InputError(ValueError):
    """Input that describes no problem, case, claim or results, in the words of the command line: where, what was found, what was expected."""


class WorkerError(RuntimeError):
    """The worker process ended before it answered: it crashed, was killed or ran out of memory."""
