import { ExactNumber, isPlainObject } from '../../flows/json/exact-json.ts'
import type { Span } from './needle-search.ts'
import type { SecretSpellings } from './secret-spellings.ts'

/** Stands where a secret was. */
export const REDACTED = '•••'

/** The text without the secrets. */
export function redactText(text: string, spellings: SecretSpellings): string {
  return withoutSpans(text, spellings.find(text), () => REDACTED)
}

/** The text with something else in these places. */
export function withoutSpans(text: string, spans: readonly Span[], instead: (span: Span) => string): string {
  if (spans.length === 0) return text
  let redacted = ''
  let from = 0
  for (const span of spans) {
    redacted += text.slice(from, span.start) + instead(span)
    from = span.end
  }
  return redacted + text.slice(from)
}

/**
 * A value without the secrets, in texts and in names of members alike. What holds none is returned as it is, not
 * copied: most outputs are that.
 */
export function redactValue(value: unknown, spellings: SecretSpellings): unknown {
  if (typeof value === 'string') return redactText(value, spellings)
  if (Array.isArray(value)) {
    const items = value.map((item) => redactValue(item, spellings))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (value instanceof ExactNumber || !isPlainObject(value)) return value
  const entries = Object.entries(value)
  const redacted = entries.map(
    ([name, member]) => [redactText(name, spellings), redactValue(member, spellings)] as const
  )
  const isClean = redacted.every(([name, member], index) => {
    const [nameBefore, memberBefore] = entries[index]!
    return name === nameBefore && member === memberBefore
  })
  return isClean ? value : Object.fromEntries(redacted)
}
