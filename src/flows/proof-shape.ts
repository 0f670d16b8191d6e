/** In place of what is not kept. */
const HIDDEN = '[hidden]'

const HEX = /^[0-9a-f]+$/i
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/

/** Digits of a digest, by what it may be written in: a guess at anything else would only mislead. */
const HEX_LENGTHS = [40, 64, 128]
const BASE64_LENGTHS = [28, 44, 88]

/**
 * What a secret header looked like, for whoever sets its verification up: `sha256=[64 hex]`. Nothing of the value is in it but what stands
 * before a digest.
 */
export function proofShape(name: string, value: string): string {
  if (!/signature|hmac|digest/i.test(name)) return HIDDEN
  const [, prefix = '', digest = ''] = /^([a-z]{1,8}[0-9]{0,4}[=:])?(.*)$/is.exec(value.trim()) ?? []
  if (HEX.test(digest) && HEX_LENGTHS.includes(digest.length)) return `${prefix}[${digest.length} hex]`
  if (BASE64.test(digest) && BASE64_LENGTHS.includes(digest.length))
    return `${prefix}[${digest.length} base64]`
  return HIDDEN
}
