import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { MillraceError } from '../errors.ts'

type Decoder = (body: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)]
])

/**
 * A body as it was before its sender compressed it, `encoding` being what Content-Encoding says. What cannot be decoded
 * is taken as it is, and nothing is lost: proxies unpack bodies and leave the header, and some senders put the name of a
 * character set there.
 */
export async function decodeBody(body: Uint8Array, encoding: string, limit: number): Promise<Uint8Array> {
  let decoded = body
  for (const name of encoding.toLowerCase().split(',').reverse()) {
    const decode = DECODERS.get(name.trim())
    if (decode === undefined) continue
    try {
      decoded = await decode(decoded, { maxOutputLength: limit })
    } catch (error) {
      if (isTooLarge(error)) throw tooLarge(limit, error)
      return body
    }
  }
  return decoded
}

function isTooLarge(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
}

function tooLarge(limit: number, cause: unknown): MillraceError {
  const message = `Unpacked, the body is larger than ${limit} bytes. Send less, or raise MILLRACE_BODY_LIMIT.`
  return new MillraceError('body_too_large', message, { cause })
}
