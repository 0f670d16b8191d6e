import { ExactNumber, isPlainObject } from '../flows/json/exact-json.ts'

/** Stands where a secret was. */
export const STRUCK = '•••'

/** Too short to be told from ordinary text: striking it would tear holes into everything. */
const SHORTEST = 4

/** What a peer may echo of a secret: as it is, as a URL or a form writes it, in JSON, and in base64. */
export function spellingsOf(secret: string): string[] {
  const spellings = new Set([
    secret,
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret, 'utf8').toString('base64'),
    Buffer.from(secret, 'utf8').toString('base64').replace(/=+$/, ''),
    Buffer.from(secret, 'utf8').toString('base64url')
  ])
  return [...spellings].filter(({ length }) => length >= SHORTEST).sort((a, b) => b.length - a.length)
}

/** The text without the secrets, given by all their spellings, longest first. */
export function strikeText(text: string, spellings: readonly string[]): string {
  let struck = text
  for (const spelling of spellings)
    if (struck.includes(spelling)) struck = struck.replaceAll(spelling, STRUCK)
  return struck
}

/**
 * A value without the secrets, in texts and in names of members alike. What holds none is returned as it is, not
 * copied: most outputs are that.
 */
export function strikeValue(value: unknown, spellings: readonly string[]): unknown {
  if (typeof value === 'string') return strikeText(value, spellings)
  if (Array.isArray(value)) {
    const items = value.map((item) => strikeValue(item, spellings))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (value instanceof ExactNumber || !isPlainObject(value)) return value
  const entries = Object.entries(value)
  const struck = entries.map(
    ([name, member]) => [strikeText(name, spellings), strikeValue(member, spellings)] as const
  )
  const isClean = struck.every(([name, member], index) => {
    const [nameBefore, memberBefore] = entries[index]!
    return name === nameBefore && member === memberBefore
  })
  return isClean ? value : Object.fromEntries(struck)
}
