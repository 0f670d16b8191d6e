import type { Socket } from 'node:net'
import type { GuardsStreams } from '../../plugin-api.ts'

/** What `socket` of a connection gives, for drivers. */
export type GuardedSocket = Socket & GuardsStreams
