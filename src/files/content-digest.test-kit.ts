import { createHash } from 'node:crypto'

/** As its definition reads: of the whole at once, on one thread. */
export function contentDigestOf(bytes: Uint8Array): string {
  const whole = createHash('sha512')
  for (let at = 0; at < bytes.length; at += 262_144) {
    whole.update(
      createHash('sha512')
        .update(bytes.subarray(at, at + 262_144))
        .digest()
    )
  }
  return whole.digest().subarray(0, 32).toString('base64url')
}
