/**
 * The addresses that a message may link to: whole ones, of the web or of mail. Whoever sends a payload chooses its
 * links, so one that runs script, or leads somewhere within this page, is shown as text.
 */
const LINKED = ['http:', 'https:', 'mailto:']

export function linkTo(address: string): string | undefined {
  // The parser of addresses drops tabs, line breaks and leading spaces as a browser does, and so sees what would be opened.
  const url = URL.parse(address)
  if (url === null || !LINKED.includes(url.protocol)) return undefined
  // `https:host` and `https:/host` are whole to the parser only.
  if (url.protocol !== 'mailto:' && !/^\s*https?:\/\//i.test(address)) return undefined
  return url.href
}
