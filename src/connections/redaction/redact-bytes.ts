import type { Span } from './needle-search.ts'
import { REDACTED } from './redact-secrets.ts'
import type { SecretSpellings } from './secret-spellings.ts'
import { StreamRedactor } from './stream-redactor.ts'

const REDACTED_BYTES = Buffer.from(REDACTED, 'utf8').toString('latin1')

/**
 * The bytes of a body without the secrets, as they come. They are read as letters of one byte each: so it is the same
 * whatever they mean, before anything has been parsed, cut or put into base64.
 */
export async function* redactBytes(
  body: AsyncIterable<Uint8Array>,
  spellings: () => SecretSpellings
): AsyncGenerator<Uint8Array> {
  const redactor = new StreamRedactor(spellings, insteadOf)
  for await (const piece of body) {
    const text = latin1(piece)
    const redacted = redactor.take(text, false)
    // Most bodies hold none: they pass without being copied.
    if (redacted === text) yield piece
    else if (redacted !== '') yield Buffer.from(redacted, 'latin1')
  }
  const rest = redactor.take('', true)
  if (rest !== '') yield Buffer.from(rest, 'latin1')
}

/** In UTF-16, a sign for each: an odd number of bytes would spoil all that follow. */
function insteadOf(text: string, { start, end }: Span): string {
  const isWide = text.charCodeAt(start + 1) === 0 && text.charCodeAt(start + 3) === 0
  return isWide ? '*\0'.repeat((end - start) / 2 + 1).slice(0, end - start) : REDACTED_BYTES
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
