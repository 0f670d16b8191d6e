/** Columns of text, each as wide as its widest cell; cells of columns in `right` stand at the right. */
export function textTable(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        right.includes(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)
      )
      .join('   ')
      .trimEnd()
  const [head, ...body] = rows
  const rule = widths.map((width) => '─'.repeat(width)).join('───')
  return [line(head!), rule, ...body.map(line)].join('\n')
}
