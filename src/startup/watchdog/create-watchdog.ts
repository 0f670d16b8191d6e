import { join } from 'node:path'
import { databasePath } from '../../store/sqlite/file/database-file.ts'
import type { Config } from '../config.ts'
import { Watchdog } from './watchdog.ts'

/** SIGTERM must end within 10 s. What the service does in order takes less. */
const STOP_WITHIN_MS = 9_700
/** It is noticed up to half a second later that nothing is heard any more. */
const NOTICED_WITHIN_MS = 500

export function createWatchdog(
  config: Pick<Config, 'hangLimitMs' | 'database' | 'home' | 'logLevel'>
): Watchdog {
  const { hangLimitMs, database, home, logLevel } = config
  const hangMs = hangLimitMs ?? 0
  return new Watchdog({
    hangMs,
    stopMs: STOP_WITHIN_MS,
    // A signal that comes in the middle is not seen, so that there is no more time than for a stop.
    noteMs: Math.max(1_000, STOP_WITHIN_MS - hangMs - NOTICED_WITHIN_MS),
    store:
      database === null
        ? { kind: 'embedded', path: databasePath(home) }
        : { kind: 'postgres', url: database.url },
    isSilent: logLevel === 'silent',
    // In a cluster the next process that takes the run up may be on another machine.
    marks: database === null ? join(home, 'step-in-hand') : null
  })
}
