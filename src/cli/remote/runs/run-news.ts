import type { ServiceEvent } from '../events/follow-events.ts'
import { type Tone, toneOf } from '../print/paint.ts'
import type { Screen } from '../print/screen.ts'
import { lasting } from '../print/times.ts'
import { cut, harmless, widthOf } from '../print/width.ts'
import type { Summary } from './run-choice.ts'

/** What happened to a run. */
export interface RunNews {
  readonly run: string
  readonly flowId: string
  /** What the run is now; of a step, what became of it. */
  readonly status: string
  /** Null is the run itself. */
  readonly step: string | null
  readonly text: string
  /** When it happened; null where that is not told. */
  readonly at: string | null
}

interface Told {
  readonly created_at?: string
  readonly run_id: string
  readonly flow_id: string
  readonly status?: string
  readonly trigger?: string
  readonly started_at?: string | null
  readonly finished_at?: string | null
  readonly error?: { readonly message: string } | null
  readonly step?: {
    readonly node: string
    readonly status: string
    readonly started_at: string | null
    readonly duration_ms: number | null
    readonly error: { readonly message: string } | null
  }
}

/** Undefined where it is nothing that people follow. */
export function newsOf({ event, data }: ServiceEvent): RunNews | undefined {
  const told = data as unknown as Told
  const { run_id: run, flow_id: flowId, step } = told
  const news = { run, flowId, step: null, status: told.status ?? '' }
  if (event === 'step.settled' && step !== undefined) {
    const text = step.error?.message ?? (step.duration_ms === null ? '' : lasting(step.duration_ms))
    return { ...news, status: step.status, step: step.node, text, at: endOf(step) }
  }
  if (event === 'run.queued')
    return {
      ...news,
      text: told.trigger === undefined ? 'again' : `by ${told.trigger}`,
      at: told.created_at ?? null
    }
  if (event !== 'run.ended' && event !== 'run.waiting') return undefined
  return { ...news, text: endText(told), at: told.finished_at ?? null }
}

function endOf({ started_at, duration_ms }: NonNullable<Told['step']>): string | null {
  if (started_at === null || duration_ms === null) return null
  return new Date(Date.parse(started_at) + duration_ms).toISOString()
}

/** Of a run that was there before. */
export function newsOfRun({ id, flow_id, status, ...run }: Summary): RunNews {
  const text = endText(run) || `by ${run.trigger}`
  return { run: id, flowId: flow_id, status, step: null, text, at: run.finished_at ?? run.created_at }
}

function endText({
  error,
  started_at,
  finished_at
}: Pick<Told, 'error' | 'started_at' | 'finished_at'>): string {
  if (error) return error.message
  if (!started_at || !finished_at) return ''
  return lasting(Date.parse(finished_at) - Date.parse(started_at))
}

export function lineOf(
  { run, status, step, text }: RunNews,
  flow: string,
  time: string,
  { paint, width }: Pick<Screen, 'paint' | 'width'>
): string {
  const what = step === null ? status : `  ${harmless(step)} ${status}`
  const place = [time, run, harmless(flow), what]
  const room = width === null ? Number.POSITIVE_INFINITY : width - widthOf(place.join(GAP)) - GAP.length
  const tones: (Tone | undefined)[] = ['dim', undefined, 'strong', toneOf(status)]
  const painted = place.map((part, at) => paint(tones[at], part))
  return `${[...painted, ...(room < 2 ? [] : [cut(harmless(text), room)])].join(GAP).trimEnd()}\n`
}

const GAP = '  '
