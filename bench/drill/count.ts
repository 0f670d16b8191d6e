import { isDeepStrictEqual } from 'node:util'
import type { RunFilter, RunStore, Store, StoredRun } from '../../src/store/store.ts'
import type { Service } from '../service-process.ts'
import type { ExpectedChild } from './drill-node.ts'
import { FLOWS, LEDGER_NODES } from './flows.ts'
import type { TickRun } from './judge-ticks.ts'
import type { People } from './people.ts'
import {
  CLOCK_SLUG,
  CLOCK_WAY,
  childrenOfProgram,
  commentIn,
  type Item,
  outputOf,
  PROGRAM_SLUG,
  PROGRAM_WAY,
  skippedBy
} from './program.ts'
import {
  ALERT_SLUG,
  ALERT_WAY,
  type BreakableItem,
  CANCELLED_SLUG,
  childrenOfRepeat,
  faultOfRepeat,
  REPEAT_SLUG
} from './repeat.ts'
import type { Accepted } from './sender.ts'

/** What is found when everything has come to rest. */
export interface Count {
  readonly completed: number
  /** Runs that were accepted while the service died before it could say so. */
  readonly unanswered: number
  /** Ids of answered requests without a run. */
  readonly lost: readonly string[]
  readonly wrong: readonly string[]
  /** Runs that others waited for, with those. */
  readonly parents: ReadonlyMap<string, string>
  readonly ticks: readonly TickRun[]
  /** Runs whose failure was told, as often as it was. */
  readonly alerts: readonly string[]
  /** The steps that have to have reached outside, by run. */
  readonly effects: ReadonlyMap<string, readonly string[]>
}

const READERS = 16

interface SeenRun {
  readonly status: string
  readonly output: unknown
  readonly steps: readonly { readonly node: string; readonly status: string }[]
}

/** Reads every accepted run as its sender would, through the API. */
export async function countThroughApi(
  service: Service,
  accepted: readonly Accepted[],
  people: People
): Promise<string[]> {
  const wrong: string[] = []
  const queue = accepted.values()
  const reader = async () => {
    for (const one of queue) {
      const fault = await faultThroughApi(service, one, people)
      if (fault !== undefined) wrong.push(`run ${one.runId} ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  for (const status of ['queued', 'in progress', 'waiting', 'failed']) {
    const path = `/api/v1/runs?status=${encodeURIComponent(status)}&limit=5`
    const { runs } = (await service.get(path)) as { runs: { id: string }[] }
    for (const { id } of runs) wrong.push(`run ${id} is ${status}`)
  }
  return wrong
}

async function faultThroughApi(
  service: Service,
  { runId, flow, items }: Accepted,
  people: People
): Promise<string | undefined> {
  const run = await service.get(`/api/v1/runs/${runId}`).catch((error: Error) => error)
  if (run instanceof Error) return `cannot be read: ${run.message}`
  const { status, steps, output } = run as SeenRun
  if (status !== (flow === 'cancelled' ? 'cancelled' : 'succeeded')) return `is ${status}`
  if (flow === 'cancelled') return undefined
  const skipped = flow === 'program' ? skippedBy(items!) : ''
  const expected = FLOWS[flow].nodes.map((node) => `${node} ${node === skipped ? 'skipped' : 'succeeded'}`)
  const seen = steps.map((step) => `${step.node} ${step.status}`)
  if (!isDeepStrictEqual(seen.toSorted(), expected.toSorted())) return `has the steps ${seen.join(', ')}`
  if (flow === 'repeat') return faultOfRepeat(items as readonly BreakableItem[], output)
  return flow === 'program' ? faultOfProgram({ runId, items: items!, output }, people) : undefined
}

interface EndedProgram {
  readonly runId: string
  readonly items: readonly Item[]
  readonly output: unknown
}

function faultOfProgram({ runId, items, output }: EndedProgram, people: People): string | undefined {
  const calls = people.caller.callOf(runId)?.mayBe ?? []
  const comment = commentIn(output)
  if (!calls.some((call) => isDeepStrictEqual(output, outputOf(items, call, comment))))
    return `gave ${JSON.stringify(output)}, called with ${calls.join(' or ')}`
  return people.approver.mayBe(comment) ? undefined : `went on with an answer that did not count: ${comment}`
}

/** Counts what only the store can tell: inputs byte for byte, messages, children, and runs that nobody was told of. */
export async function countInStore(store: Store, accepted: readonly Accepted[]): Promise<Count> {
  const counter = new StoreCounter(store, accepted)
  await counter.countAll()
  return counter.count
}

class StoreCounter {
  readonly #store: Store
  readonly #requests: Map<string, Accepted>
  #slugs = new Map<string, string>()
  #printed = new Map<string, string[]>()
  #completed = 0
  #unanswered = 0
  readonly #wrong: string[] = []
  readonly #parents = new Map<string, string>()
  readonly #ticks: TickRun[] = []
  readonly #alerts: string[] = []
  readonly #effects = new Map<string, readonly string[]>()

  constructor(store: Store, accepted: readonly Accepted[]) {
    this.#store = store
    this.#requests = new Map(accepted.map((one) => [one.runId, one]))
    if (this.#requests.size !== accepted.length) this.#wrong.push('two requests were answered with one run')
  }

  get count(): Count {
    return {
      completed: this.#completed,
      unanswered: this.#unanswered,
      lost: [...this.#requests.keys()],
      wrong: this.#wrong,
      parents: this.#parents,
      ticks: this.#ticks,
      alerts: this.#alerts,
      effects: this.#effects
    }
  }

  async countAll(): Promise<void> {
    this.#slugs = new Map((await this.#store.flows.live()).map(({ id, slug }) => [id, slug]))
    this.#printed = await messagesByRun(this.#store, [...this.#slugs.keys()])
    for await (const run of allRuns(this.#store.runs)) {
      const slug = this.#slugs.get(run.flowId)!
      const expected = slug === CANCELLED_SLUG ? 'cancelled' : 'succeeded'
      const isStarted = slug === CLOCK_SLUG || slug === ALERT_SLUG
      const faults = [
        ...(run.outcome?.status === expected ? [] : [`it is ${howItEnded(run)}`]),
        ...(isStarted ? this.#started(run, slug) : await this.#sent(run, slug))
      ]
      if (faults.length > 0) this.#wrong.push(`run ${run.id}: ${faults.join('; ')}`)
      else if (!isStarted) this.#completed++
    }
    for (const kind of ['time', 'call', 'answer'] as const) {
      const open = await this.#store.runs.listWaits({ kind, state: 'open', limit: 10 })
      for (const { runId, node } of open) this.#wrong.push(`run ${runId}: ${node} waits for ever`)
    }
  }

  #started(run: StoredRun, slug: string): string[] {
    if (slug === ALERT_SLUG) {
      this.#alerts.push((JSON.parse(textOf(run)) as { run_id: string }).run_id)
      this.#effects.set(run.id, ALERT_WAY)
      return []
    }
    const { scheduled_at, late } = JSON.parse(textOf(run)) as { scheduled_at: string; late?: boolean }
    this.#ticks.push({ id: run.id, scheduledAt: Date.parse(scheduled_at), isLate: late === true })
    this.#effects.set(run.id, CLOCK_WAY)
    return []
  }

  async #sent(run: StoredRun, slug: string): Promise<string[]> {
    const request = this.#requests.get(run.id)
    this.#requests.delete(run.id)
    if (request === undefined) this.#unanswered++
    const isSame = request === undefined || request.bytes.equals(run.input)
    const faults = isSame ? [] : ['its input is not what was sent']
    const family = familyOf(slug, run)
    if (slug === PROGRAM_SLUG) this.#effects.set(run.id, PROGRAM_WAY)
    if (family !== undefined) return [...faults, ...(await this.#family(run, family))]
    if (slug === FLOWS.ledger.slug) this.#effects.set(run.id, LEDGER_NODES)
    return [...faults, ...this.#messages(run, request)]
  }

  #messages(run: StoredRun, request: Accepted | undefined): string[] {
    const printed = this.#printed.get(run.id) ?? []
    if (printed.length !== 1) return [`it printed ${printed.length} messages, not 1`]
    if (request === undefined || printed[0] === request.text) return []
    return [`it printed ${printed[0]}, not ${request.text}`]
  }

  async #family(run: StoredRun, expected: ReadonlyMap<string, ExpectedChild>): Promise<string[]> {
    const faults: string[] = []
    const found = new Set<string>()
    for await (const child of allRuns(this.#store.runs, { parentSeq: run.seq })) {
      const { node, index } = child.parent!
      const name = `${node} ${index}`
      if (found.has(name)) faults.push(`it has two children ${name}`)
      found.add(name)
      this.#parents.set(child.id, run.id)
      const { effects, status } = expected.get(name) ?? { effects: [], status: 'nothing that it should have' }
      this.#effects.set(child.id, effects)
      const was = child.outcome?.status ?? 'not finished'
      if (was !== status) faults.push(`its child ${child.id} (${name}) is ${was} and not ${status}`)
    }
    const missing = [...expected.keys()].filter((name) => !found.has(name))
    // One that was cancelled may not have come to them.
    if (missing.length > 0 && run.outcome?.status !== 'cancelled')
      faults.push(`it has no children ${missing.join(', ')}`)
    const open = await this.#store.runs.openBelow(run.seq, 10)
    return [...faults, ...open.map(({ id }) => `the run ${id} below it is open`)]
  }
}

/** What a run of this flow has to have started; undefined where it starts none. */
function familyOf(slug: string, run: StoredRun): ReadonlyMap<string, ExpectedChild> | undefined {
  const items = () => JSON.parse(textOf(run)) as BreakableItem[]
  if (slug === PROGRAM_SLUG) return childrenOfProgram(items())
  if (slug === REPEAT_SLUG) return childrenOfRepeat(items())
  if (slug !== CANCELLED_SLUG) return undefined
  return new Map(items().map((_, index) => [`each ${index}`, { effects: [], status: 'cancelled' }]))
}

function howItEnded({ outcome }: StoredRun): string {
  return outcome === null ? 'not finished' : `${outcome.status} ${outcome.error ?? ''}`
}

function textOf({ input }: StoredRun): string {
  return Buffer.from(input).toString()
}

async function* allRuns(
  runs: RunStore,
  filter: Pick<RunFilter, 'parentSeq'> = {}
): AsyncGenerator<StoredRun> {
  let before: number | null | undefined
  while (before !== null) {
    const page = await runs.list({ ...filter, limit: 500, ...(before === undefined ? {} : { before }) })
    for (const { id } of page.runs) yield (await runs.get(id))!
    before = page.next
  }
}

async function messagesByRun(store: Store, flowIds: readonly string[]): Promise<Map<string, string[]>> {
  const printed = new Map<string, string[]>()
  for (const flowId of flowIds) {
    const { messages } = await store.messages.list({ flowId, limit: 10_000_000 })
    for (const { runId, text } of messages) {
      printed.set(runId, [...(printed.get(runId) ?? []), text])
    }
  }
  return printed
}
