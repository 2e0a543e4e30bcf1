"""The problems of blocks that cannot be read: their codes, messages and hints."""

from pincite.projects.edits import EditProblem

_MESSAGES = {
    "no_path": "No line says which file block {number} changes.",
    "ambiguous_path": "Two different paths stand above block {number}.",
    "quoted_block": "Block {number} stands inside a quoted example.",
    "unfinished_block": "Block {number} has no closing line >>>>>>> REPLACE of its own.",
    "no_divider": "Block {number} has no line ======= between its two sides.",
    "stray_marker": "Block {number} has no opening line <<<<<<< SEARCH.",
    "unfinished_fence": "The reply ends inside block {number}.",
    "ambiguous_fence": "It is not certain where block {number} ends: there are fences like the one around it.",
    "bad_hunk": "Diff {number} has a line without a sign in front, or more lines than its header says.",
    "binary_diff": "Diff {number} is about a binary file.",
    "diff_header": "The header of diff {number} asks for more than text: a mode, a copy or odd names.",
}
_HINTS = {
    "no_path": "Write the path alone on the line above the block.",
    "ambiguous_path": "Write the path alone on the line above the block.",
    "quoted_block": "Write the block outside the longer fence.",
    "unfinished_block": "Repeat the whole block. If its text has such markers itself, use longer ones around it.",
    "no_divider": "Repeat the whole block with its three markers.",
    "stray_marker": "Repeat the whole block with its three markers.",
    "unfinished_fence": "Repeat the whole block and close the fence.",
    "ambiguous_fence": "Repeat it between longer fences, for instance of five signs.",
    "bad_hunk": "Use SEARCH/REPLACE blocks, or repeat the diff with a sign in front of each line.",
    "binary_diff": "Only text files can be changed.",
    "diff_header": "Use SEARCH/REPLACE blocks, and lines such as DELETE path or RENAME old -> new.",
}


def create_problem(number: int, path: str, reason: str) -> EditProblem:
    """Return the problem with a code, in words."""
    return EditProblem(number, path, reason, _MESSAGES[reason].format(number=number), _HINTS[reason])
