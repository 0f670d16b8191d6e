import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { KnownHosts } from '../http/requests/known-hosts.ts'
import type { DispatchSizes } from '../runs/dispatch/dispatch-sizes.ts'
import type { StepWatch } from '../runs/steps/step-watch.ts'
import type { Look } from '../triggers/watch/look.ts'
import type { Config } from './config.ts'
import type { openStore } from './open-store.ts'

/** What the service needs, wherever it is served. */
export type ServiceConfig = Pick<
  Config,
  | 'role'
  | 'database'
  | 'home'
  | 'apiKey'
  | 'secretKey'
  | 'egressAllow'
  | 'bodyLimit'
  | 'fileLimit'
  | 'files'
  | 'flowsFolder'
  | 'backlogLimit'
  | 'concurrency'
  | 'inFlight'
  | 'outputLimits'
  | 'retention'
>

export interface ServiceOptions {
  readonly config: ServiceConfig
  readonly log: FastifyBaseLogger
  readonly version: string
  /** The names that it answers to; absent where that is for the application to say. */
  readonly hosts?: KnownHosts
  readonly clock?: Clock
  readonly watch?: StepWatch
  /** The folder of the built page, where it is another than this package's own. */
  readonly pageFolder?: string
  /** Opens the store in another way than by the configuration alone: a simulation stands between it and the parts. */
  readonly openStore?: typeof openStore
  readonly sizes?: DispatchSizes
  /** Looks at what flows watch in another way than over the network, which a simulation has not. */
  readonly lookAt?: Look
}
