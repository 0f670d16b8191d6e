import type { OpenStoreOptions } from '../../startup/open-store.ts'
import type { ServiceConfig } from '../../startup/service-options.ts'
import type { EmbeddedStore } from '../../store/embedded-store.ts'
import type { SharedStore } from '../../store/shared-store.ts'
import type { StoreProxyOptions } from '../faults/store-proxy.ts'
import type { RecordReader } from '../oracle/records.ts'
import type { Owner, Scheduler } from './scheduler.ts'
import type { virtualClock, Wall } from './virtual-clock.ts'

/** Who opens the store, and how its answers are to come. */
export interface StoreUser extends StoreProxyOptions, Pick<OpenStoreOptions, 'processId' | 'onError'> {
  readonly clock: ReturnType<typeof virtualClock>
}

/** What the processes of a world stand on: where rows are kept, and what is left of them when a process dies. */
export interface Machine {
  readonly config: Pick<ServiceConfig, 'home' | 'database'>
  /** The rows as they are now, read by somebody who is no part of the service. */
  readonly records: RecordReader
  open(user: StoreUser): Promise<EmbeddedStore | SharedStore>
  /** The process is gone: by its death, or because it stopped. */
  left(process: Owner, how: 'died' | 'stopped'): Promise<void>
  /** The process has just begun to stand still. */
  froze?(process: Owner): void
  /** Lets time pass in which nothing would happen, where that is to be looked at second by second otherwise. */
  passTime?(world: { readonly wall: Wall; readonly scheduler: Scheduler }): void
  /** Resolves when all that follows from what has just happened has happened. */
  quiet(): Promise<void>
  close(): Promise<void>
}
