/** Return whether a cell is a number or empty: such a column is aligned to the right. */
export function isFigure(cell: string): boolean {
  return /^[^\p{L}]*$/u.test(cell);
}
