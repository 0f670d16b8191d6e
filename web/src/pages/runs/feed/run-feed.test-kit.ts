import type { LiveEvent } from '../../../api/live-event.ts'
import type { RunPage, RunQuestion } from '../../../api/runs.ts'
import type { RunStatus, RunSummary } from '../../../api/shapes.ts'
import { matchesQuestion } from '../filter/run-filter.ts'
import { RunFeed } from './run-feed.ts'
import { compareRuns } from './run-rows.ts'
import { runAt } from './run-summary.test-kit.ts'

/** A service of runs: answers pages when it is told to, and tells what happens as events. */
export class RunsServer {
  readonly feed: RunFeed
  readonly asked: { cursor?: string; limit: number }[] = []
  #runs: readonly RunSummary[]
  #answers: (() => void)[] = []
  #timers: (() => void)[] = []
  isSlow = false
  /** A page looks at no more runs than this, whether they match or not. */
  scanned = Number.POSITIVE_INFINITY
  failure: Error | undefined

  constructor(runs: readonly RunSummary[], question: RunQuestion = {}) {
    this.#runs = runs
    this.feed = new RunFeed({
      load: async ({ cursor, limit }) => {
        this.asked.push({ limit, ...(cursor === undefined ? {} : { cursor }) })
        const page = this.#page(question, Number(cursor ?? 0), limit)
        if (this.isSlow) await new Promise<void>((resolve) => this.#answers.push(resolve))
        if (this.failure !== undefined) throw this.failure
        return page
      },
      matches: (run) => matchesQuestion(run, question),
      canJudge: question.q === undefined,
      mayEnterLate: question.status !== undefined,
      startTimer: (_ms, then) => {
        this.#timers.push(then)
        return () => {}
      }
    })
  }

  #page(question: RunQuestion, start: number, limit: number): RunPage {
    const all = this.#runs.toSorted(compareRuns)
    const runs: RunSummary[] = []
    let at = start
    for (; at < Math.min(all.length, start + this.scanned) && runs.length < limit; at++) {
      if (matchesQuestion(all[at]!, question)) runs.push(all[at]!)
    }
    return { runs, next_cursor: at < all.length ? String(at) : null }
  }

  async settled(): Promise<this> {
    this.isSlow = false
    for (const answer of this.#answers.splice(0)) answer()
    await new Promise<void>((resolve) => setImmediate(resolve))
    return this
  }

  async timePasses(): Promise<void> {
    for (const timer of this.#timers.splice(0)) timer()
    await this.settled()
  }

  /** Happens in the service, and is told. */
  happen(...runs: RunSummary[]): void {
    this.happenSilently(...runs)
    this.feed.receive(runs.flatMap(eventsOf))
  }

  happenSilently(...runs: RunSummary[]): void {
    const ids = new Set(runs.map(({ id }) => id))
    this.#runs = [...this.#runs.filter(({ id }) => !ids.has(id)), ...runs]
  }

  shown(): string[] {
    return this.feed.view().rows.map(({ id, status }) => `${Number(id.slice(4))} ${status}`)
  }
}

function eventsOf(run: RunSummary): LiveEvent[] {
  const { id: run_id, flow_id, status, started_at, finished_at, error, ...facts } = run
  const data = { flow_id, run_id }
  if (status === 'queued') return [{ name: 'run.queued', data: { ...data, ...facts, status } }]
  if (status === 'in progress') return [{ name: 'run.started', data: { ...data, started_at } }]
  return [{ name: 'run.ended', data: { ...data, status, started_at, finished_at, error } }]
}

export const ended = (second: number, status: RunStatus = 'succeeded') => {
  return runAt(second, { status, finished_at: '2026-01-31T13:00:00.000Z' })
}
export const queued = (second: number) => runAt(second, { status: 'queued' })
export const many = (count: number) => Array.from({ length: count }, (_, index) => ended(index))

export async function open(runs: readonly RunSummary[], question?: RunQuestion): Promise<RunsServer> {
  const server = new RunsServer(runs, question)
  server.feed.start()
  return server.settled()
}
