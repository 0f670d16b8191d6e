import type { ClientConfig } from 'pg'
import type { Owner } from '../world/scheduler.ts'
import type { Session } from './real-sessions.ts'

/** A connection of one simulated process, as long as it lasts. */
export class Line {
  readonly owner: Owner
  readonly config: ClientConfig
  readonly onCut: () => void
  readonly onSignal: (payload: string) => void
  session: Session | undefined
  /** Its process knows that it has the connection. */
  isOpen = false
  isInTransaction = false
  /** In the transaction that it is in. */
  hasWritten = false
  isListening = false
  isCut = false

  constructor(
    owner: Owner,
    config: ClientConfig,
    { onCut, onSignal }: { readonly onCut: () => void; readonly onSignal: (payload: string) => void }
  ) {
    this.owner = owner
    this.config = config
    this.onCut = onCut
    this.onSignal = onSignal
  }
}

/** As the driver says it. */
export function terminated(): Error {
  return new Error('Connection terminated unexpectedly')
}

export function notThere(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
}

export function diskFull(): Error {
  return Object.assign(new Error('could not extend file: No space left on device'), { code: '53100' })
}
