/** Paths and texts as templates write them. */

/** Text in which nothing is a placeholder. */
export function literalText(text: string): string {
  return text.replaceAll('{', '{{').replaceAll('}', '}}')
}

/** `{user.name}`, absent or not; undefined where no template can name it. */
export function placeholder(path: readonly string[], fallback = '', format = ''): string | undefined {
  const written = pathText(path)
  if (written === undefined || /[{}]/.test(fallback + format)) return undefined
  return `{${written}${format === '' ? '' : `:${format}`}?${fallback}}`
}

/** A fallback that begins like a format would be read as one. */
export function pathText(path: readonly string[]): string | undefined {
  if (path.length === 0 || path.some((key) => key === '' || key.includes(']'))) return undefined
  return path.map((key, at) => (isPlain(key) ? `${at === 0 ? '' : '.'}${key}` : `[${key}]`)).join('')
}

const PLAIN_KEY = /^[^.[\]:?{}\s$](?:[^.[\]:?{}]*[^.[\]:?{}\s])?$/

function isPlain(key: string): boolean {
  return PLAIN_KEY.test(key)
}
