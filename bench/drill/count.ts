import { isDeepStrictEqual } from 'node:util'
import type { RunFilter, RunStore, Store, StoredRun } from '../../src/store/store.ts'
import type { Service } from '../service-process.ts'
import type { Caller } from './caller.ts'
import { FLOWS, LEDGER_NODES } from './flows.ts'
import type { TickRun } from './judge-ticks.ts'
import {
  CLOCK_SLUG,
  CLOCK_WAY,
  childrenOf,
  ITEM_WAY,
  type Item,
  outputOf,
  PROGRAM_SLUG,
  PROGRAM_WAY,
  SUB_WAY,
  skippedBy
} from './program.ts'
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
  caller: Caller
): Promise<string[]> {
  const wrong: string[] = []
  const queue = accepted.values()
  const reader = async () => {
    for (const one of queue) {
      const fault = await faultThroughApi(service, one, caller)
      if (fault !== undefined) wrong.push(`run ${one.runId} ${fault}`)
    }
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  for (const status of ['queued', 'in progress', 'waiting', 'failed', 'cancelled']) {
    const path = `/api/v1/runs?status=${encodeURIComponent(status)}&limit=5`
    const { runs } = (await service.get(path)) as { runs: { id: string }[] }
    for (const { id } of runs) wrong.push(`run ${id} is ${status}`)
  }
  return wrong
}

async function faultThroughApi(
  service: Service,
  { runId, flow, items }: Accepted,
  caller: Caller
): Promise<string | undefined> {
  const run = await service.get(`/api/v1/runs/${runId}`).catch((error: Error) => error)
  if (run instanceof Error) return `cannot be read: ${run.message}`
  const { status, steps, output } = run as SeenRun
  if (status !== 'succeeded') return `is ${status}`
  const skipped = items === undefined ? '' : skippedBy(items)
  const expected = FLOWS[flow].nodes.map((node) => `${node} ${node === skipped ? 'skipped' : 'succeeded'}`)
  const seen = steps.map((step) => `${step.node} ${step.status}`)
  if (!isDeepStrictEqual(seen.toSorted(), expected.toSorted())) return `has the steps ${seen.join(', ')}`
  if (items === undefined) return undefined
  const calls = caller.callOf(runId)?.mayBe ?? []
  return calls.some((call) => isDeepStrictEqual(output, outputOf(items, call)))
    ? undefined
    : `gave ${JSON.stringify(output)}, called with ${calls.join(' or ')}`
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
      effects: this.#effects
    }
  }

  async countAll(): Promise<void> {
    this.#slugs = new Map((await this.#store.flows.live()).map(({ id, slug }) => [id, slug]))
    this.#printed = await messagesByRun(this.#store, [...this.#slugs.keys()])
    for await (const run of allRuns(this.#store.runs)) {
      const slug = this.#slugs.get(run.flowId)!
      const faults = [
        ...(run.outcome?.status === 'succeeded' ? [] : [`it is ${howItEnded(run)}`]),
        ...(slug === CLOCK_SLUG ? this.#tick(run) : await this.#sent(run, slug))
      ]
      if (faults.length > 0) this.#wrong.push(`run ${run.id}: ${faults.join('; ')}`)
      else if (slug !== CLOCK_SLUG) this.#completed++
    }
    for (const kind of ['time', 'call'] as const) {
      const open = await this.#store.runs.listWaits({ kind, state: 'open', limit: 10 })
      for (const { runId, node } of open) this.#wrong.push(`run ${runId}: ${node} waits for ever`)
    }
  }

  #tick(run: StoredRun): string[] {
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
    if (slug === PROGRAM_SLUG) return [...faults, ...(await this.#program(run))]
    if (slug === FLOWS.ledger.slug) this.#effects.set(run.id, LEDGER_NODES)
    return [...faults, ...this.#messages(run, request)]
  }

  #messages(run: StoredRun, request: Accepted | undefined): string[] {
    const printed = this.#printed.get(run.id) ?? []
    if (printed.length !== 1) return [`it printed ${printed.length} messages, not 1`]
    if (request === undefined || printed[0] === request.text) return []
    return [`it printed ${printed[0]}, not ${request.text}`]
  }

  async #program(run: StoredRun): Promise<string[]> {
    this.#effects.set(run.id, PROGRAM_WAY)
    const faults: string[] = []
    const found: string[] = []
    for await (const child of allRuns(this.#store.runs, { parentSeq: run.seq })) {
      const { node, index } = child.parent!
      found.push(`${node} ${index}`)
      this.#parents.set(child.id, run.id)
      this.#effects.set(child.id, node === 'sub' ? SUB_WAY : ITEM_WAY)
      const status = child.outcome?.status ?? 'not finished'
      if (status !== 'succeeded') faults.push(`its child ${child.id} (${node} ${index}) is ${status}`)
    }
    const expected = childrenOf(JSON.parse(textOf(run)) as Item[])
    if (!isDeepStrictEqual(found.toSorted(), expected.toSorted()))
      faults.push(`it has the children ${found.join(', ')}`)
    const open = await this.#store.runs.openBelow(run.seq, 10)
    return [...faults, ...open.map(({ id }) => `the run ${id} below it is open`)]
  }
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
