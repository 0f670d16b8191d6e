import type { Fate } from '../../../test/support/tcp-relay.ts'

export const SESSIONS_WAITING = `select count(*) as n from pg_stat_activity
  where wait_event_type = 'Lock' and datname = current_database()`

/** The first piece that says so has this fate. */
export function once(words: RegExp, fate: Fate): (piece: string) => Fate {
  let isOver = false
  return (piece) => {
    if (isOver || !words.test(piece)) return 'pass'
    isOver = true
    return fate
  }
}
