import type { DatabaseSync } from 'node:sqlite'
import { LATEST_EXPIRY } from '../../rows/kept-row.ts'

/** Times over 2^53 cannot even be read from here: where one was stored, no value of any context could be listed. */
export function boundExpiries(db: DatabaseSync): void {
  db.exec(`UPDATE kept_values SET expires_at = ${LATEST_EXPIRY} WHERE expires_at > ${LATEST_EXPIRY}`)
}
