import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { MillraceError } from '../../errors.ts'

type Decoder = (body: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>

const withHead = promisify(zlib.inflate)
const withoutHead = promisify(zlib.inflateRaw)

/** Deflate is a stream with a head, but some senders have always left the head out. Its first byte ends in 8. */
const inflateEither: Decoder = (body, options) =>
  (body[0]! & 0x0f) === 0x08 ? withHead(body, options) : withoutHead(body, options)

const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', promisify(zlib.gunzip)],
  ['x-gzip', promisify(zlib.gunzip)],
  ['deflate', inflateEither],
  ['br', promisify(zlib.brotliDecompress)],
  // Not before Node 22.15: then a body is taken as it is.
  ...('zstdDecompress' in zlib ? [['zstd', promisify(zlib.zstdDecompress)] as const] : [])
])

/**
 * Nobody packs a body more often. Each of hundreds of codings, which a header has room for, would cost as much as the
 * largest body does.
 */
const MOST_CODINGS = 4

/**
 * A body as it was before its sender compressed it, `encoding` being what Content-Encoding says. What cannot be decoded
 * is taken as it is, and nothing is lost: proxies unpack bodies and leave the header, and some senders put the name of a
 * character set there.
 */
export async function decodeBody(body: Uint8Array, encoding: string, limit: number): Promise<Uint8Array> {
  const names = encoding.toLowerCase().split(',')
  if (names.length > MOST_CODINGS) return body
  let decoded = body
  for (const name of names.reverse()) {
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
