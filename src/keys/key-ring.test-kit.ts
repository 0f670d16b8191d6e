import { type ManualClock, manualClock } from '../clock.test-kit.ts'
import { KeyRing, type NewKey } from './key-ring.ts'
import { MemoryKeyStore } from './key-store.test-kit.ts'

export interface Made {
  readonly ring: KeyRing
  readonly store: MemoryKeyStore
  readonly clock: ManualClock
}

export function make(store = new MemoryKeyStore(), clock = manualClock()): Made {
  return { ring: new KeyRing({ store, newId: clock.newId, now: clock.now }), store, clock }
}

export const news: NewKey = { name: 'CI', rights: ['trigger'], flowId: null, context: null, expiresAt: null }
