import { keyTextOf } from '../flows/standard-webhooks.ts'

/** Shorter ones can be guessed, and then anybody could sign. */
export const LEAST_CHARACTERS = 16

/**
 * The secrets that a text holds. While a sender changes its secret, the old and the new one are good: they stand in one text,
 * parted by commas or white space. The text as a whole is one too, since a secret may hold a comma itself; what is shorter
 * than a secret may be is none.
 */
export function secretsIn(text: string): readonly string[] {
  const parts = text.split(/[\s,]+/).filter((part) => withoutPrefix(part).length >= LEAST_CHARACTERS)
  return [...new Set(withoutPrefix(text) === '' ? parts : [text, ...parts])]
}

/** What follows is the secret; this only says that it is one. */
export function withoutPrefix(secret: string): string {
  return keyTextOf(secret)
}
