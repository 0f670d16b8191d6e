import type { Clock } from '../clock.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { Reach } from '../runs/live-node.ts'
import type { RunScopes } from '../runs/run-scope.ts'
import type { Runs } from '../runs/runs.ts'
import { isSharedStore } from '../store/shared-store.ts'
import type { Store } from '../store/store.ts'
import { ComponentTriggers } from '../triggers/component-triggers.ts'
import { SharedOwnership, SoleOwnership } from '../triggers/ownership.ts'
import { TriggerFaults } from '../triggers/trigger-faults.ts'
import { Triggers } from '../triggers/triggers.ts'

export interface TriggersOptions {
  readonly store: Store
  readonly library: FlowLibrary
  readonly runs: Runs
  readonly scopes: RunScopes
  readonly outside: Reach
  readonly clock: Clock
  readonly processId: string
  readonly onError: (error: unknown, doing: string) => void
}

/** What starts runs besides requests. */
export function createTriggers(options: TriggersOptions): Triggers {
  const { store, library, runs, scopes, outside, clock, processId, onError } = options
  const ownership = isSharedStore(store)
    ? new SharedOwnership({ owners: store.triggerOwners, processId, clock, onError })
    : new SoleOwnership()
  const faults = new TriggerFaults({ store: store.triggers, onError })
  const components = new ComponentTriggers({
    clock,
    runs,
    outside,
    scopeOf: (context) => scopes.of(context),
    isMine: () => ownership.isMine,
    keepFault: faults.keep,
    onError
  })
  const { catalogue } = library.surroundings
  const sources = [components]
  return new Triggers({
    library,
    catalogue,
    store: store.triggers,
    ownership,
    sources,
    faults,
    clock,
    onError
  })
}
