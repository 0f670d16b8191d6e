/**
 * How a text may be spelled inside of JSON, besides as it is: what was sent is kept byte for byte, and senders write
 * the same text differently. All escape quotes and control characters, Python's json also every letter that is not
 * ASCII, and PHP's json_encode slashes too. Whoever searches for a name or an address knows nothing of that.
 */
export function jsonSpellings(text: string): string[] {
  const plain = JSON.stringify(text).slice(1, -1)
  const ascii = plain.replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
  const php = ascii.replaceAll('/', '\\/')
  return [...new Set([plain, ascii, php])].filter((spelling) => spelling !== text)
}
