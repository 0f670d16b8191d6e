import { givenToItem, isItem, ownSteps } from '../../../api/items.ts'
import type { LiveEvent } from '../../../api/live-event.ts'
import type { Run, Step } from '../../../api/shapes.ts'
import type { NodeRun, ShownRun } from '../editor-context.ts'

/** A run as it was read. */
export function shownRun(run: Run): ShownRun {
  return {
    id: run.id,
    status: run.status,
    flowVersion: run.flow_version,
    isTest: run.test,
    createdAt: run.created_at,
    startedAt: run.started_at,
    finishedAt: run.finished_at,
    error: run.error,
    steps: new Map(stepsOf(run).map((step) => [step.node, step]))
  }
}

/** An item that was chosen stands for what its For each did, too. */
function stepsOf(run: Run): readonly NodeRun[] {
  if (!isItem(run)) return run.steps
  const { status, error, parent } = run
  const region = { node: parent!.node, status, attempts: 1, duration_ms: null, outputs: null, error }
  return [...ownSteps(run), { ...region, given: givenToItem(run) }]
}

/**
 * The run on the canvas after some events of its flow: the newest run takes the place of the one before it, unless
 * one was chosen. Steps that did not change stay the same objects.
 */
export function followEvents(
  shown: ShownRun | undefined,
  events: readonly LiveEvent[],
  chosen: string | undefined
): ShownRun | undefined {
  const newest = chosen ?? newestRun(events) ?? shown?.id
  return events.filter(({ data }) => data.run_id === newest).reduce(followEvent, shown)
}

/**
 * A run that is retried is queued again, but its steps stay; only a new one has a time at which it was accepted. Items of a For
 * each do not take the place of their run.
 */
function newestRun(events: readonly LiveEvent[]): string | undefined {
  const isNew = ({ name, data }: LiveEvent) =>
    name === 'run.queued' && typeof data.created_at === 'string' && data.parent === undefined
  return events.findLast(isNew)?.data.run_id
}

function followEvent(shown: ShownRun | undefined, { name, data }: LiveEvent): ShownRun | undefined {
  const id = String(data.run_id)
  if (name === 'run.queued' && typeof data.created_at === 'string' && shown?.id !== id) {
    return {
      id,
      status: 'queued',
      flowVersion: Number(data.flow_version),
      isTest: data.test === true,
      createdAt: data.created_at,
      startedAt: null,
      finishedAt: null,
      error: null,
      steps: new Map()
    }
  }
  if (shown === undefined || shown.id !== id) return shown
  switch (name) {
    case 'run.queued':
      return { ...shown, status: 'queued', finishedAt: null, error: null }
    case 'run.started':
      return hasEnded(shown) ? shown : { ...shown, status: 'in progress', startedAt: textIn(data.started_at) }
    case 'run.waiting':
      return hasEnded(shown) ? shown : { ...shown, status: 'waiting' }
    case 'run.ended':
      return {
        ...shown,
        status: data.status as Run['status'],
        startedAt: textIn(data.started_at),
        finishedAt: textIn(data.finished_at),
        error: data.error as Run['error']
      }
    case 'step.started':
      return withStep(shown, {
        ...stepAt(shown, data.node),
        status: 'in progress',
        attempts: Number(data.attempt)
      })
    case 'step.waiting':
      return withStep(shown, {
        ...stepAt(shown, data.node),
        status: 'waiting',
        attempts: Number(data.attempts),
        error: data.error as Step['error']
      })
    case 'step.settled':
      return withStep(shown, settledStep(shown, data.step as Step))
    default:
      return shown
  }
}

/** An event leaves out what is large, or what was sent to the flow; what was read before is kept. */
function settledStep(shown: ShownRun, step: Step): NodeRun {
  const known = shown.steps.get(step.node)
  const isSame = known !== undefined && known.status === step.status && known.outputs !== null
  return isSame ? known : step
}

function stepAt(shown: ShownRun, node: unknown): NodeRun {
  return (
    shown.steps.get(String(node)) ?? {
      node: String(node),
      status: 'queued',
      attempts: 0,
      duration_ms: null,
      outputs: null,
      error: null
    }
  )
}

function withStep(shown: ShownRun, step: NodeRun): ShownRun {
  if (shown.steps.get(step.node) === step) return shown
  return { ...shown, steps: new Map(shown.steps).set(step.node, step) }
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function hasEnded({ status }: Pick<ShownRun, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
}
