import { isUtf8 } from 'node:buffer'
import { charsetInside } from '../../../flows/charset-inside.ts'

const LABELLED = /;\s*charset\s*=\s*["']?([\w.:+-]+)/i
/** Markup says itself how it is written. */
const MARKUP = /^[^;]*[/+](?:xml|html)\s*(?:;|$)/i

type Decoder = InstanceType<typeof TextDecoder>

/** Whether a text of this type may be in another character set than UTF-8. */
export function maySayCharset(contentType: string): boolean {
  return MARKUP.test(contentType) || charsetOf(contentType) !== undefined
}

/** The character set that the type names; undefined for UTF-8, and for one that nobody knows. */
export function charsetOf(contentType: string): Decoder | undefined {
  return decoderFor(LABELLED.exec(contentType)?.[1])
}

/** A text in UTF-8. Many that say otherwise are in it all the same; of those that are not, only what they say tells what they mean. */
export function inUtf8(body: Uint8Array, contentType: string): Uint8Array {
  const decoder =
    charsetOf(contentType) ?? decoderFor(MARKUP.test(contentType) ? charsetInside(body) : undefined)
  if (decoder === undefined) return body
  // With zeros between its letters UTF-16 is good UTF-8, too.
  const isWide = decoder.encoding.startsWith('utf-16') && body.includes(0)
  if (!isWide && isUtf8(body)) return body
  return Buffer.from(decoder.decode(body))
}

function decoderFor(label: string | undefined): Decoder | undefined {
  if (label === undefined) return undefined
  try {
    const decoder = new TextDecoder(label)
    return decoder.encoding === 'utf-8' ? undefined : decoder
  } catch {
    return undefined
  }
}
