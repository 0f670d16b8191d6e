/** What is longer pushes the run itself out of sight. */
const MOST_LINES = 8
const MOST_CHARACTERS = 800

/** The beginning of a long message, at the end of a line or a word; undefined where the message is not long. */
export function beginningOf(message: string): string | undefined {
  const lines = message.split('\n', MOST_LINES).join('\n')
  if (lines.length <= MOST_CHARACTERS) return lines.length < message.length ? lines : undefined
  const cut = lines.slice(0, MOST_CHARACTERS)
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'), MOST_CHARACTERS / 2))
}
