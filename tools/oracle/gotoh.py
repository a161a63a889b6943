"""The rules of `warpseq align` in a few lines of Python, for short pairs: score, ends and CIGAR, ties included.

Written from docs/align.md alone ("What align computes"). Rows are query symbols, columns target symbols. Every cell keeps its best value
and the whole path to it, so there is no traceback that could disagree with the recurrence.
"""


def gap_cost(gap, length):
    gap_open, gap_extend = gap
    return gap_open + (length - 1) * gap_extend if length else 0


def borders(rows, columns, mode, gap):
    """H on column 0 and row 0, as (value, start, path)."""
    left = [(0, (i, 0), "") for i in range(rows + 1)]
    top = [(0, (0, j), "") for j in range(columns + 1)]
    if mode in ("global", "fit"):
        left = [(-gap_cost(gap, i), (0, 0), "I" * i) for i in range(rows + 1)]
    if mode == "global":
        top = [(-gap_cost(gap, j), (0, 0), "D" * j) for j in range(columns + 1)]
    return left, top


def gap_cell(opened_from, extended_from, gap, letter):
    """The better of opening and extending; opening wins ties."""
    opened = (opened_from[0] - gap[0], opened_from[1], opened_from[2] + letter)
    if extended_from is None or opened[0] >= extended_from[0] - gap[1]:
        return opened
    return (extended_from[0] - gap[1], extended_from[1], extended_from[2] + letter)


def matrix(query, target, mode, gap, score, equal, through_zero=False):
    """H as a list of rows of (value, start, path)."""
    left, top = borders(len(query), len(target), mode, gap)
    rows, above = [top], [None] * (len(target) + 1)
    for i, letter in enumerate(query, 1):
        row, up, side = [left[i]], [None], None
        for j, symbol in enumerate(target, 1):
            value, start, path = rows[-1][j - 1]
            diagonal = (value + score(letter, symbol), start, path + ("=" if equal(letter, symbol) else "X"))
            up.append(gap_cell(rows[-1][j], above[j], gap, "I"))
            side = gap_cell(row[-1], side, gap, "D")
            nothing = (0, (i, j), "")
            candidates = [diagonal, up[j], side]
            if mode == "local":
                candidates = [*candidates, nothing] if through_zero else [nothing, *candidates]
            row.append(max(candidates, key=lambda candidate: candidate[0]))  # the first of equals
        rows.append(row)
        above = up
    return rows


def end_cells(rows, columns, mode):
    """The cells an alignment may end in, in the order in which ties are broken."""
    last_row = [(rows, j) for j in range(columns + 1)]
    return {
        "local": lambda: [(i, j) for i in range(rows + 1) for j in range(columns + 1)],
        "global": lambda: [(rows, columns)],
        "fit": lambda: last_row,
        "overlap": lambda: [(i, columns) for i in range(rows)] + last_row,
    }[mode]()


def align(query, target, mode, gap, score, equal, through_zero=False):
    """Score, start, end and one CIGAR letter per column."""
    h = matrix(query, target, mode, gap, score, equal, through_zero)
    end = max(end_cells(len(query), len(target), mode), key=lambda cell: h[cell[0]][cell[1]][0])
    value, start, path = h[end[0]][end[1]]
    return value, start, end, path
