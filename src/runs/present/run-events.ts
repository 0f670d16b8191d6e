import type { RunFailure, StepRecord } from '../../engine/step-record.ts'
import { writeJson } from '../../flows/json/exact-json.ts'
import { isLongValue } from '../../flows/json/long-value.ts'
import type { Change } from '../../store/store.ts'
import { decodeEntry } from '../record/journal-codec.ts'
import { decodeSteps } from '../record/step-codec.ts'
import { presentParent, presentStep } from './present-run.ts'
import type { PresentedStep } from './run-shape.ts'
import { timeText } from './time-text.ts'

/**
 * Server-sent events are made from changes that are stored, by this one function, whether they are sent live or
 * read again after `Last-Event-ID`: a listener who comes back gets exactly what it would have got. A change
 * gives several events, numbered within it, so a connection may break between any two of them.
 *
 * A step may be told twice, when it settles at a checkpoint and when its run ends; the later one holds.
 */
export interface RunEvent {
  /** `<number of the change>.<number within it>` */
  readonly id: string
  readonly event:
    | 'run.queued'
    | 'run.started'
    | 'step.started'
    | 'step.waiting'
    | 'step.settled'
    | 'run.waiting'
    | 'message'
    | 'run.ended'
  /** JSON text. */
  readonly data: string
}

type UnnumberedEvent = [event: RunEvent['event'], data: Record<string, unknown>]

/** Outputs beyond this size are left out of events and read from the run instead. */
const MAX_EVENT_DATA = 64 * 1024

export function eventsOf(change: Change): RunEvent[] {
  return unnumberedEventsOf(change).map(([event, data], index) => ({
    id: `${change.no}.${index}`,
    event,
    data: eventData({ flow_id: change.flowId, ...data })
  }))
}

function eventData(data: Record<string, unknown>): string {
  const step = data.step as PresentedStep | undefined
  if (step !== undefined && Object.values(step.outputs ?? {}).some(isLongValue)) return withoutOutputs(data)
  const text = writeJson(data)
  return text.length <= MAX_EVENT_DATA || step === undefined ? text : withoutOutputs(data)
}

function withoutOutputs(data: Record<string, unknown>): string {
  return writeJson({ ...data, step: { ...(data.step as object), outputs: null, outputs_omitted: true } })
}

function unnumberedEventsOf(change: Change): UnnumberedEvent[] {
  switch (change.kind) {
    case 'accepted': {
      const { id, flowVersion, trigger, session, createdAt } = change.run
      const facts = { flow_version: flowVersion, trigger, session, created_at: timeText(createdAt) }
      const { parent, isTest } = change.run
      const test = isTest === true ? { test: true } : {}
      const startedBy = parent === undefined ? {} : { parent: presentParent(parent) }
      return [['run.queued', { run_id: id, status: 'queued', ...facts, ...test, ...startedBy }]]
    }
    case 'journal':
      return journalEvents(change)
    case 'ended':
      return endedEvents(change)
  }
}

function journalEvents({ runId, entry }: Extract<Change, { kind: 'journal' }>): UnnumberedEvent[] {
  // The payload is not at hand here; an output that is the payload is told when the run is read.
  const decoded = decodeEntry(entry, undefined)
  const { startedAt, settled = [], begun = [], waiting = [], isParked = false } = decoded
  const run_id = runId
  const started =
    startedAt === undefined
      ? []
      : one('run.started', { run_id, status: 'in progress', started_at: timeText(startedAt) })
  return [
    ...(decoded.reopened === true ? one('run.queued', { run_id, status: 'queued' }) : started),
    ...settled.flatMap((step) => stepEvents(run_id, step)),
    ...begun.map(({ node, attempt }): UnnumberedEvent => ['step.started', { run_id, node, attempt }]),
    ...waiting.map(
      ({ node, attempts, until, error, wait }): UnnumberedEvent => [
        'step.waiting',
        { run_id, node, attempts, until: timeText(until), error, ...(wait && { for: wait.kind }) }
      ]
    ),
    ...(isParked ? one('run.waiting', { run_id, status: 'waiting' }) : [])
  ]
}

function one(...event: UnnumberedEvent): UnnumberedEvent[] {
  return [event]
}

function endedEvents({ runId, outcome }: Extract<Change, { kind: 'ended' }>): UnnumberedEvent[] {
  const run_id = runId
  const { status, startedAt, finishedAt } = outcome
  const times = { started_at: timeText(startedAt), finished_at: timeText(finishedAt) }
  const error = outcome.error === null ? null : (JSON.parse(outcome.error) as RunFailure)
  return [
    ['run.started', { run_id, status: 'in progress', started_at: times.started_at }],
    ...decodeSteps(outcome.steps, undefined).flatMap((step) => stepEvents(run_id, step)),
    ['run.ended', { run_id, status, ...times, error }]
  ]
}

function stepEvents(run_id: string, step: StepRecord): UnnumberedEvent[] {
  const messages = (step.messages ?? []).map(({ createdAt, text, ...message }): UnnumberedEvent => {
    const told = isLongValue(text) ? { text: '', text_omitted: true } : { text }
    return ['message', { ...message, ...told, run_id, created_at: timeText(createdAt) }]
  })
  return [['step.settled', { run_id, step: presentStep(step) }], ...messages]
}
