import type { ByteRange } from '../../files/file-place.ts'

/** As many digits as a size can have. */
const ONE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/

/**
 * What a Range header asks for: `whole` where there is none, or several, or none that can be read, as RFC 9110 allows; `none` where the
 * file has no such bytes.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'whole' | 'none' {
  const [, from, to, last] = ONE_RANGE.exec(header ?? '') ?? []
  if (last !== undefined)
    return last === '0' || size === 0 ? 'none' : rangeFrom(size - Number(last), size - 1)
  if (from === undefined) return 'whole'
  const end = to === undefined || to === '' ? size - 1 : Number(to)
  if (to !== undefined && to !== '' && end < Number(from)) return 'whole'
  return Number(from) >= size ? 'none' : rangeFrom(Number(from), Math.min(end, size - 1))
}

function rangeFrom(first: number, last: number): ByteRange {
  return { first: Math.max(first, 0), last }
}
