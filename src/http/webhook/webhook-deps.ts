import type { Clock } from '../../clock.ts'
import type { Files } from '../../files/files.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { Runs } from '../../runs/runs.ts'
import type { Callers } from '../access/callers.ts'
import type { FileAccessDeps } from '../files/file-access.ts'
import type { Refusals } from '../operations/refusals.ts'
import type { ContextWebhooks } from './context-webhooks.ts'
import type { RateLimits } from './rate-limiter.ts'
import type { SenderGuard } from './sender-guard.ts'

export interface WebhookDeps extends FileAccessDeps {
  readonly library: FlowLibrary
  readonly webhooks: ContextWebhooks
  readonly callers: Callers
  /** One for the service, as wrong keys are counted once. */
  readonly senders: SenderGuard
  readonly runs: Runs
  readonly clock: Clock
  /** One for the service: a flow has one limit, wherever its webhook is served. */
  readonly limiter: RateLimits
  readonly bodyLimit: number
  readonly files: Files
  readonly refusals: Refusals
  /** Where the service is in its application; empty where it stands alone. */
  readonly mount: string
  /** What addresses that are told begin with. */
  readonly prefix: string
  /** Where people reach the service; null where nobody said. */
  readonly publicUrl: string | null
  readonly onAccepted: (seconds: number) => void
}
