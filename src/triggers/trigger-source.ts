import type { StoredTrigger } from '../store/triggers.ts'
import type { TriggerNode } from './trigger-nodes.ts'

/**
 * From where a trigger that begins counts: `now`, or where it left off, as it does when the service starts, when a version
 * takes the place of another, and when a flow goes on that held what arrived.
 */
export type Begins = 'now' | 'where it left off'

/** One way in which runs are started without a request, while this process has the triggers. */
export interface TriggerSource {
  /** Whether it is the one for this node. */
  takes(trigger: TriggerNode): boolean
  /** Called when this process gets the triggers, before the first begins. */
  recall?(stored: readonly StoredTrigger[]): void
  /** The trigger is live from now on; where one of the same flow and node was, it takes its place. */
  begin(trigger: TriggerNode, from: Begins): void
  /** A run may have failed; it need not be told, and may be told for nothing. */
  runFailed?(): void
  /** Resolves when nothing is started by it any more. `isRemoved`: its flow goes on without it. */
  end(flowId: string, node: string, isRemoved?: boolean): Promise<void>
}
