const LONGEST = 160

/** The end of a text that is still growing, on one line. */
export function tailOf(text: string): string {
  const line = text
    .slice(-2 * LONGEST)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= LONGEST ? line : `…${line.slice(-LONGEST)}`
}
