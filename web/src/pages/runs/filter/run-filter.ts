import { RUN_STATUSES } from '../../../../../src/runs/present/run-status.ts'
import type { RunQuestion } from '../../../api/runs.ts'
import type { RunStatus, RunSummary } from '../../../api/shapes.ts'
import { isRangeName, type RangeName, rangeStart } from './time-range.ts'

/** Which runs somebody wants to see. What is left blank is not asked for. */
export interface RunFilter {
  readonly state: RunStatus | ''
  /** Id of a flow. */
  readonly flow: string
  readonly text: string
  /** Of the last hour, day, …: moves with the time. Goes before `since` and `until`. */
  readonly range: RangeName | ''
  /** ISO 8601. */
  readonly since: string
  readonly until: string
  /** Tests of drafts: none of them, or nothing else. */
  readonly tests: TestFilter | ''
}

export type TestFilter = 'without' | 'only'

export const NO_FILTER: RunFilter = {
  state: '',
  flow: '',
  text: '',
  range: '',
  since: '',
  until: '',
  tests: ''
}

/** The filter as the address of the page tells it; what cannot be is left out. */
export function readFilter(params: URLSearchParams): RunFilter {
  const state = params.get('state')
  const range = params.get('range') ?? ''
  const tests = params.get('tests')
  return {
    state: RUN_STATUSES.find((status) => status === state) ?? '',
    flow: params.get('flow') ?? '',
    text: params.get('q') ?? '',
    range: isRangeName(range) ? range : '',
    since: timeText(params.get('since')),
    until: timeText(params.get('until')),
    tests: tests === 'without' || tests === 'only' ? tests : ''
  }
}

export function writeFilter(filter: RunFilter): Record<string, string> {
  const { state, flow, text, range, since, until, tests } = filter
  const named = { state, flow, q: text, range, since, until, tests }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ''))
}

/** The question that the service is asked; a range counts from now. */
export function questionOf(filter: RunFilter, now: number): RunQuestion {
  const { state, flow, text, range, since, until, tests } = filter
  const from = range === '' ? since : new Date(rangeStart(range, now)).toISOString()
  return {
    flow_id: flow || undefined,
    status: state || undefined,
    q: text.trim() || undefined,
    since: from || undefined,
    until: (range === '' && until) || undefined,
    test: tests === '' ? undefined : tests === 'only'
  }
}

/** Whether a run is one of those that were asked for; text is for the service to judge, since it knows the inputs. */
export function matchesQuestion(run: RunSummary, question: RunQuestion): boolean {
  const { flow_id, status, since, until, test } = question
  if (flow_id !== undefined && run.flow_id !== flow_id) return false
  if (status !== undefined && run.status !== status) return false
  if (test !== undefined && run.test !== test) return false
  const createdAt = Date.parse(run.created_at)
  if (since !== undefined && createdAt < Date.parse(since)) return false
  return until === undefined || createdAt < Date.parse(until)
}

export function hasTime({ range, since, until }: RunFilter): boolean {
  return range !== '' || since !== '' || until !== ''
}

export function isBlank(filter: RunFilter): boolean {
  return Object.values(filter).every((value) => value === '')
}

function timeText(given: string | null): string {
  const ms = Date.parse(given ?? '')
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString()
}
