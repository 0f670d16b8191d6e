/** One place up or down; the same list where there is none. */
export function moveRow<T>(rows: readonly T[], at: number, by: 1 | -1): T[] {
  const to = at + by
  return to < 0 || to >= rows.length ? [...rows] : rows.toSpliced(at, 1).toSpliced(to, 0, rows[at]!)
}
