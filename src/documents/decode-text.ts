import { charsetInside } from '../flows/charset-inside.ts'

const LABELLED = /charset\s*=\s*["']?([\w.:-]+)/i

/**
 * Bytes as text: by their mark, by what is said of them, by what they say themselves, else as UTF-8, and where they are none, as Windows
 * writes in the West.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const marked = markedAs(bytes)
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes)
  const said = LABELLED.exec(contentType)?.[1] ?? charsetInside(bytes)
  const decoder = said === undefined ? undefined : decoderFor(said)
  if (decoder !== undefined) return decoder.decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function markedAs([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}
