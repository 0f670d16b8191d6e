import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LiveEvent } from '../../../api/live-event.ts'
import type { RunPage, RunQuestion } from '../../../api/runs.ts'
import type { RunStatus, RunSummary } from '../../../api/shapes.ts'
import { matchesQuestion } from '../filter/run-filter.ts'
import { RunFeed } from './run-feed.ts'
import { compareRuns } from './run-rows.ts'
import { runAt } from './run-summary.test-kit.ts'

/** A service of runs: answers pages when it is told to, and tells what happens as events. */
class Shelf {
  readonly feed: RunFeed
  readonly asked: { cursor?: string; limit: number }[] = []
  #runs: readonly RunSummary[]
  #answers: (() => void)[] = []
  #timers: (() => void)[] = []
  isSlow = false
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
    const found = this.#runs.filter((run) => matchesQuestion(run, question)).toSorted(compareRuns)
    const end = start + limit
    return { runs: found.slice(start, end), next_cursor: end < found.length ? String(end) : null }
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
    this.feed.hear(runs.flatMap(eventsOf))
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

const ended = (second: number, status: RunStatus = 'succeeded') => {
  return runAt(second, { status, finished_at: '2026-01-31T13:00:00.000Z' })
}
const queued = (second: number) => runAt(second, { status: 'queued' })
const many = (count: number) => Array.from({ length: count }, (_, index) => ended(index))

async function open(runs: readonly RunSummary[], question?: RunQuestion): Promise<Shelf> {
  const shelf = new Shelf(runs, question)
  shelf.feed.start()
  return shelf.settled()
}

describe('a feed of runs', () => {
  it('is not ready until its first page has come', async () => {
    const shelf = new Shelf(many(3))
    shelf.isSlow = true
    shelf.feed.start()
    assert.equal(shelf.feed.view().isReady, false)
    await shelf.settled()
    const { isReady, isComplete, rows } = shelf.feed.view()
    assert.deepEqual([isReady, isComplete, rows.length], [true, true, 3])
  })

  it('loads only as far as somebody looks, with some in reserve', async () => {
    const shelf = await open(many(5_000))
    assert.equal(shelf.feed.view().rows.length, 100)
    shelf.feed.see(20)
    await shelf.settled()
    assert.equal(shelf.feed.view().rows.length, 1_600)
    shelf.feed.see(4_990)
    await shelf.settled()
    assert.deepEqual([shelf.feed.view().rows.length, shelf.feed.view().isComplete], [5_000, true])
    assert.ok(shelf.asked.every(({ limit }) => limit <= 500))
  })

  it('says what went wrong and goes on when asked to', async () => {
    const shelf = await open(many(300))
    shelf.failure = new Error('no answer')
    shelf.feed.see(50)
    await shelf.settled()
    assert.equal(shelf.feed.view().error, shelf.failure)
    shelf.failure = undefined
    shelf.feed.retry()
    await shelf.settled()
    assert.deepEqual([shelf.feed.view().error, shelf.feed.view().rows.length], [null, 300])
  })

  it('shows new runs and what becomes of them, without asking', async () => {
    const shelf = await open([ended(1)])
    shelf.happen(queued(2))
    assert.deepEqual(shelf.shown(), ['2 queued', '1 succeeded'])
    shelf.happen(runAt(2, { status: 'in progress' }))
    assert.deepEqual(shelf.shown(), ['2 in progress', '1 succeeded'])
    shelf.happen(ended(2, 'failed'))
    assert.deepEqual(shelf.shown(), ['2 failed', '1 succeeded'])
    assert.equal(shelf.asked.length, 1)
  })

  it('does not take an old page for the newest truth', async () => {
    const shelf = new Shelf([runAt(1, { status: 'in progress' })])
    shelf.isSlow = true
    shelf.feed.start()
    shelf.happen(ended(1))
    await shelf.settled()
    assert.deepEqual(shelf.shown(), ['1 succeeded'])
  })

  it('keeps runs that came before its first page', async () => {
    const shelf = new Shelf([ended(1)])
    shelf.isSlow = true
    shelf.feed.start()
    shelf.happen(queued(2))
    await shelf.settled()
    assert.deepEqual(shelf.shown(), ['2 queued', '1 succeeded'])
  })
})

describe('while somebody reads', () => {
  it('new runs wait, and states change in place', async () => {
    const shelf = await open([queued(1)])
    shelf.feed.hold(true)
    shelf.happen(queued(2), queued(3), ended(1))
    assert.deepEqual([shelf.shown(), shelf.feed.view().waiting], [['1 succeeded'], 2])
    shelf.happen(ended(2))
    shelf.feed.hold(false)
    assert.deepEqual(shelf.shown(), ['3 queued', '2 succeeded', '1 succeeded'])
    assert.equal(shelf.feed.view().waiting, 0)
  })

  it('what waits can be asked for', async () => {
    const shelf = await open([ended(1)])
    shelf.feed.hold(true)
    shelf.happen(queued(2))
    shelf.feed.showWaiting()
    assert.deepEqual(shelf.shown(), ['2 queued', '1 succeeded'])
  })

  it('a run that stopped matching stays until nobody does', async () => {
    const shelf = await open([queued(1), queued(2)], { status: 'queued' })
    shelf.feed.hold(true)
    shelf.happen(runAt(2, { status: 'in progress' }))
    assert.deepEqual(shelf.shown(), ['2 in progress', '1 queued'])
    shelf.feed.hold(false)
    assert.deepEqual(shelf.shown(), ['1 queued'])
  })
})

describe('a feed of runs in one state', () => {
  it('takes in a run when it gets there', async () => {
    const shelf = await open([ended(1, 'failed')], { status: 'failed' })
    shelf.happen(queued(2), queued(3))
    assert.deepEqual(shelf.shown(), ['1 failed'])
    shelf.happen(ended(2, 'failed'), ended(3))
    assert.deepEqual(shelf.shown(), ['2 failed', '1 failed'])
  })

  it('asks for a run that it never heard of', async () => {
    const shelf = await open([ended(1, 'failed')], { status: 'failed' })
    shelf.happen(ended(0, 'failed'))
    await shelf.timePasses()
    assert.deepEqual(shelf.shown(), ['1 failed', '0 failed'])
  })

  it('lets a run go that is opened again, and takes it back', async () => {
    const shelf = await open([ended(1, 'failed')], { status: 'failed' })
    const again = runAt(1, { status: 'queued' })
    shelf.happen(again)
    assert.deepEqual(shelf.shown(), [])
    shelf.happen(ended(1, 'failed'))
    await shelf.timePasses()
    assert.deepEqual(shelf.shown(), ['1 failed'])
  })
})

describe('a feed that only the service can judge', () => {
  it('asks for its head again when something happened, once for many things', async () => {
    const shelf = await open([ended(1)], { q: 'ann' })
    shelf.happen(queued(2))
    shelf.happen(queued(3))
    assert.deepEqual(shelf.shown(), ['1 succeeded'])
    await shelf.timePasses()
    assert.deepEqual(shelf.shown(), ['3 queued', '2 queued', '1 succeeded'])
    assert.equal(shelf.asked.length, 2)
  })

  it('begins anew when more came than one page holds, but not under a reader', async () => {
    const shelf = await open([ended(0)], { q: 'ann' })
    shelf.feed.hold(true)
    shelf.happen(...Array.from({ length: 250 }, (_, index) => queued(index + 1)))
    await shelf.timePasses()
    assert.deepEqual(shelf.shown(), ['0 succeeded'])
    shelf.feed.hold(false)
    await shelf.settled()
    const { rows, isComplete } = shelf.feed.view()
    assert.deepEqual([rows.length, rows[0]!.id, isComplete], [100, 'run-0250', false])
    shelf.feed.see(99)
    await shelf.settled()
    assert.equal(shelf.feed.view().rows.length, 251)
  })
})

describe('a feed after a lost connection', () => {
  it('finds what nobody told it', async () => {
    const shelf = await open([ended(1), queued(2)])
    shelf.happenSilently(ended(2), queued(3))
    shelf.feed.catchUp({ isResumed: true })
    await shelf.timePasses()
    assert.deepEqual(shelf.shown(), ['3 queued', '2 succeeded', '1 succeeded'])
  })

  it('reads every row again where the events do not go on from the last one', async () => {
    const shelf = await open([queued(1), ...Array.from({ length: 150 }, (_, index) => ended(index + 2))])
    shelf.feed.see(99)
    await shelf.settled()
    assert.equal(shelf.shown().at(-1), '1 queued')
    shelf.happenSilently(ended(1))
    shelf.feed.catchUp({ isResumed: false })
    await shelf.timePasses()
    await shelf.settled()
    assert.deepEqual([shelf.shown().length, shelf.shown().at(-1)], [151, '1 succeeded'])
  })
})
