import type { StoredConnection } from './connections.ts'
import type { StoredKey } from './credentials.ts'

/** What one look at a store, or at what it stands on, has shown. */
export interface Finding {
  /** What was looked at. */
  readonly check: string
  readonly verdict: 'ok' | 'warning' | 'fault'
  readonly says: string
  /** What to do about it, where something is to be done. */
  readonly remedy?: string
}

export function ok(check: string, says: string): Finding {
  return { check, verdict: 'ok', says }
}

export function warning(check: string, says: string, remedy: string): Finding {
  return { check, verdict: 'warning', says, remedy }
}

export function fault(check: string, says: string, remedy: string): Finding {
  return { check, verdict: 'fault', says, remedy }
}

/** Judges what a store holds of connections; passed in by who has the keys. */
export type ExamineConnections = (stored: readonly StoredConnection[]) => readonly Finding[]

/** Judges the API keys of a store; passed in by who knows what they may do. */
export type ExamineKeys = (stored: readonly StoredKey[]) => Finding
