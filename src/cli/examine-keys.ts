import { CONFIGURED_BY, isMaster, lastsUntil } from '../keys/key-ring.ts'
import type { StoredKey } from '../store/credentials.ts'
import { type Finding, ok, warning } from '../store/finding.ts'
import { count } from './progress.ts'

const CHECK = 'API keys'

/** Whether anybody can still make keys and change what all share: the last key that may can expire. */
export function examineKeys(keys: readonly StoredKey[], isOneSet: boolean, now: number): Finding {
  if (isOneSet) return ok(CHECK, `${CONFIGURED_BY} sets one that may do everything`)
  if (keys.length === 0) return ok(CHECK, 'there is none; the next start makes one')
  const masters = keys.filter((key) => isMaster(key) && lastsUntil(key) > now)
  if (masters.length > 0)
    return ok(CHECK, `${count(masters.length)} of ${count(keys.length)} may manage all keys`)
  return warning(
    CHECK,
    `none of ${count(keys.length)} has the right "admin" for everything, or those that have it are over: nobody can make keys`,
    `Set ${CONFIGURED_BY} to a long random text and start Millrace: that key may do everything.`
  )
}
