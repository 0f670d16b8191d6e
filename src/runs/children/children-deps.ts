import type { Clock } from '../../clock.ts'
import type { OpenedSecrets } from '../../connections/opened-secrets.ts'
import type { StepCall } from '../../engine/effects.ts'
import type { Plan } from '../../engine/plan.ts'
import type { OutputLimit } from '../../flows/component/component.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { ModelUsage } from '../../store/model-usage.ts'
import type { AcceptedRun, ExecutableRun, RunStore } from '../../store/store.ts'
import type { Surroundings } from './item-executor.ts'
import type { OutsideValues } from './outside-values.ts'

export interface ChildrenDeps {
  readonly store: RunStore
  readonly clock: Clock
  readonly findFlow: (reference: string) => LiveFlow | undefined
  /** Tries a write until it is durable; rejects only when the service stops. */
  readonly persist: <T>(write: () => Promise<T>) => Promise<T>
  /** What nodes outside a region put out that lead to its inside. */
  readonly outside: Pick<OutsideValues, 'of' | 'forget'>
  /** What children used of models that were executed where their parent is. */
  readonly onUsage: (usage: ModelUsage) => void
  /** A child was accepted, and may begin. */
  readonly offer: (run: AcceptedRun) => void
  /** Children of this flow may be due. */
  readonly mayHaveDue: (flowIds: readonly string[]) => void
  /** Cancels those that go on although nobody waits for them any more. */
  readonly cancelOrphaned: (parent: ExecutableRun) => Promise<void>
}

export interface StepOfRun {
  readonly run: ExecutableRun
  readonly plan: Plan
  readonly call: StepCall
  readonly outputLimit: OutputLimit
  /** What the step has opened so far: none of that is stored. */
  readonly secrets?: () => OpenedSecrets | undefined
  readonly around: Surroundings
  /** Everything else waits while many are started. */
  readonly pause: () => Promise<void> | undefined
}
