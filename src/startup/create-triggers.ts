import type { Clock } from '../clock.ts'
import { type Timetable, timetableOf } from '../components/schedule/cron.ts'
import { everyOf } from '../components/schedule/every.ts'
import type { DocumentReader } from '../documents/document-reader.ts'
import { messageOf } from '../errors.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { Runs } from '../runs/runs.ts'
import type { Reach } from '../runs/steps/live-node.ts'
import type { RunScopes } from '../runs/steps/run-scope.ts'
import { isSharedStore } from '../store/shared-store.ts'
import type { Store } from '../store/store.ts'
import { ComponentTriggers } from '../triggers/component-triggers.ts'
import { FailureAlerts } from '../triggers/failures/failure-alerts.ts'
import { SharedOwnership, SoleOwnership } from '../triggers/ownership.ts'
import { Schedules } from '../triggers/schedule/schedules.ts'
import { TriggerFaults } from '../triggers/trigger-faults.ts'
import { type EditedTrigger, filledFields } from '../triggers/trigger-nodes.ts'
import { Triggers } from '../triggers/triggers.ts'
import type { Look } from '../triggers/watch/look.ts'
import { lookOutside } from '../triggers/watch/look-outside.ts'
import { type TryWatch, tryWatch } from '../triggers/watch/try-watch.ts'
import { Watches } from '../triggers/watch/watches.ts'

interface TriggersOptions {
  readonly store: Store
  readonly library: FlowLibrary
  readonly runs: Runs
  readonly scopes: RunScopes
  readonly outside: Reach
  readonly documents: Pick<DocumentReader, 'read' | 'limits'>
  readonly clock: Clock
  readonly processId: string
  readonly lookAt?: Look | undefined
  readonly onError: (error: unknown, doing: string) => void
}

/** Runs fail in other processes, too. */
const LOOK_AMONG_OTHERS_MS = 1_000
const LOOK_ALONE_MS = 30_000

export interface MadeTriggers {
  readonly triggers: Triggers
  readonly tryWatch: TryWatch
}

/** What starts runs besides requests. */
export function createTriggers(options: TriggersOptions): MadeTriggers {
  const { store, library, runs, scopes, outside, documents, clock, processId, onError } = options
  const ownership = isSharedStore(store)
    ? new SharedOwnership({ owners: store.triggerOwners, processId, clock, onError })
    : new SoleOwnership()
  const faults = new TriggerFaults({ store: store.triggers, onError })
  const variablesOf = (context: string) => scopes.of(context).variables
  const fieldsOf = (trigger: EditedTrigger) => filledFields(trigger, variablesOf(trigger.flow.context))
  const schedules = new Schedules({
    clock,
    runs,
    store: store.triggers,
    fieldsOf,
    timesOf: timetables(),
    keepFault: faults.keep,
    onError
  })
  const components = new ComponentTriggers({
    clock,
    runs,
    outside,
    fieldsOf,
    isMine: () => ownership.isMine,
    keepFault: faults.keep,
    onError
  })
  const { catalogue } = library.surroundings
  const failures = new FailureAlerts({
    clock,
    runs,
    store: store.runs,
    triggers: store.triggers,
    fieldsOf,
    flowOf: async (id) => library.find(id) ?? (await library.removed(id)),
    lookMs: isSharedStore(store) ? LOOK_AMONG_OTHERS_MS : LOOK_ALONE_MS,
    onError
  })
  const look: Look =
    options.lookAt ??
    ((trigger, signal) => lookOutside({ clock, outside, documents, fieldsOf, variablesOf }, trigger, signal))
  const watches = new Watches({
    clock,
    runs,
    store: store.triggers,
    timesOf: (trigger) => {
      const { every, timezone } = fieldsOf(trigger)
      return everyOf(String(every), String(timezone), clock.now())
    },
    look,
    isMine: () => ownership.isMine,
    onFault: ({ flow, node }, error, isFirst) => {
      if (isFirst) onError(error, `looking for what is new to watch "${node.id}" of flow ${flow.slug}`)
      faults.keep(flow.id, node.id, error === null ? null : { message: messageOf(error), at: clock.now() })
    }
  })
  const sources = [components, schedules, failures, watches]
  const triggers = new Triggers({
    library,
    catalogue,
    store: store.triggers,
    ownership,
    sources,
    faults,
    clock,
    onError
  })
  return { triggers, tryWatch: (...of) => tryWatch({ look, store: store.triggers }, ...of) }
}

const MOST_TIMETABLES = 1_000

/** Many schedules are alike, and to read one takes as long as to work out its next time. */
function timetables(): (cron: string, timezone: string) => Timetable {
  const known = new Map<string, Timetable>()
  return (cron, timezone) => {
    const key = `${timezone}\n${cron}`
    const found = known.get(key) ?? timetableOf(cron, timezone)
    if (known.size >= MOST_TIMETABLES) known.clear()
    known.set(key, found)
    return found
  }
}
