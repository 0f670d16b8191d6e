import { createHash } from 'node:crypto'
import { MillraceError } from '../../errors.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { Approvals } from '../../runs/approvals.ts'
import { isInside } from '../../runs/children/run-result.ts'
import { isTest, type RunRecord } from '../oracle/records.ts'
import type { World } from '../world/world.ts'
import { allSegments, calledWith, type FlowSpec, isRegion } from './flow-spec.ts'
import type { History } from './history.ts'
import type { LifeEvent } from './scenario.ts'

/** Refusals that are right in a world like this: what is asked for may be gone, paused, ended or just ending. */
const EXPECTED = new Set([
  ...['flow_paused', 'flow_not_found', 'flow_conflict', 'flow_context_gone', 'flow_invalid', 'slug_taken'],
  ...[
    'context_in_use',
    'context_not_found',
    'store_unwritable',
    'stopping',
    'backlog_full',
    'approval_closed'
  ],
  ...['run_not_found', 'run_has_parent', 'run_not_retryable', 'run_already_ended', 'flow_not_deleted']
])

/** Does to the service what an event says, as a request would. Resolves when it is answered. */
export async function actOut(event: LifeEvent, world: World, history: History): Promise<void> {
  try {
    await ACTIONS[event.kind](event as never, world, history)
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error
    world.scheduler.note(`refused ${event.kind} ${error.code}`)
    if (!EXPECTED.has(error.code)) history.unexpected.add(`${event.kind}: ${error.code}`)
  }
}

type Action<K extends LifeEvent['kind']> = (
  event: Extract<LifeEvent, { kind: K }>,
  world: World,
  history: History
) => Promise<void>

const ACTIONS: { [K in LifeEvent['kind']]: Action<K> } = {
  webhook: async ({ flow: index, value, key, bytes }, world, history) => {
    const flow = world.flow(index)
    if (flow === undefined) return
    const input = Buffer.from(JSON.stringify({ v: value, ...(bytes > 0 && { pad: 'x'.repeat(bytes) }) }))
    const start = { flow, trigger: 'webhook' as const, input }
    const accepted = history.accepting(world)
    if (key === 0) return accepted(await world.deps.runs.start(start))
    const name = `${flow.id} ${key}`
    const { verdict, ...result } = await world.deps.runs.startOnce(start, [{ key: digest(name), body: null }])
    if (verdict === 'accepted' && 'run' in result) accepted(result.run)
    history.delivered(name, 'run' in result ? result.run.id : result.runId, world)
  },
  test: async ({ flow: index, value, length }, world, history) => {
    const flow = world.flow(index)
    const live = flow && world.specs.get(`${flow.id}@${flow.version}`)
    if (flow === undefined || live === undefined) return
    const spec = { ...live, segments: live.segments.slice(-length).toReversed() }
    const document = world.documentOf(spec) as unknown as FlowDocument
    const input = Buffer.from(JSON.stringify({ v: value, draft: world.drafts.push(spec) - 1 }))
    const accepted = history.accepting(world)
    accepted(await world.deps.runs.startTest({ flow, trigger: 'api', input, document }))
  },
  call: async ({ share, early }, world, history) => {
    const waits = early ? callable(world) : waitingFor(world, 'call')
    const found = shareOf(waits, share)
    if (found === undefined) return
    await callRun(found, world, history)
  },
  answer: async ({ share, choice }, world) => {
    const found = shareOf(waitingFor(world, 'answer'), share)
    if (found !== undefined) await answerQuestion(found.id!, choice, world)
  },
  wake: async ({ share }, world, history) => {
    const found = shareOf(waitingFor(world, 'time', 'call', 'answer'), share)
    if (found === undefined) return
    const run = await world.deps.runs.get(found.runId)
    const done = history.waking(found.runId, found.node, 'time', world)
    const { won } = await world.deps.runs.wake(run, found.node, { by: 'time', value: null })
    done(won)
  },
  cancel: async ({ share }, world, history) => {
    const found = shareOf(
      world.records.all().filter(({ status }) => status === null),
      share
    )
    if (found === undefined) return
    await cancelRun(found, world, history)
  },
  retry: async ({ share }, world, history) => {
    const found = shareOf(world.records.all().filter(isToBeRetried), share)
    if (found === undefined) return
    history.reopening(found.id)
    await world.deps.runs.retry(await world.deps.runs.get(found.id))
  },
  'retry-items': async ({ share }, world, history) => {
    const found = shareOf(
      world.records.all().filter((run) => hasFailedItems(run, world)),
      share
    )
    if (found === undefined) return
    history.reopening(found.id)
    history.itemsAgain.add(found.id)
    await world.deps.runs.retry(await world.deps.runs.get(found.id))
  },
  replay: async ({ share }, world, history) => {
    const found = shareOf(world.records.all(), share)
    if (found === undefined || isInside(found) || isTest(found)) return
    const flow = world.deps.library.find(found.flowId)
    if (flow === undefined) return
    const run = await world.deps.runs.get(found.id)
    const accepted = history.accepting(world)
    accepted(await world.deps.runs.replay(run, flow))
  },
  pause: async ({ flow, mode }, world, history) => {
    const live = world.flow(flow)
    history.unreachable.add(flow)
    if (live !== undefined) await world.deps.library.setPaused(live.id, { mode, by: 'simulation' })
  },
  resume: async ({ flow }, world) => {
    const live = world.flow(flow)
    if (live !== undefined) await world.deps.library.setPaused(live.id, null)
  },
  publish: async ({ flow }, world) => {
    const live = world.flow(flow)
    if (live === undefined) return
    const spec = world.specs.get(`${live.id}@${live.version}`)!
    await publish(flow, { ...spec, segments: spec.segments.slice(0, 3) }, world)
  },
  delete: async ({ flow }, world, history) => {
    const live = world.flow(flow)
    history.unreachable.add(flow)
    if (live !== undefined) await world.deps.library.remove(live.id)
  },
  undelete: async ({ flow }, world) => {
    const id = world.flowIds[flow]
    if (id !== undefined && world.flow(flow) === undefined) await world.deps.library.undelete(id)
  },
  purge: async ({ flow }, world, history) => {
    const id = world.flowIds[flow]
    if (id === undefined || world.flow(flow) !== undefined) return
    await purge(id, world, history)
  },
  'leave-context': async ({ context }, world, history) => {
    for (const flow of world.flowIds.keys()) {
      const live = world.flow(flow)
      if (live === undefined || live.context !== world.contextOf(context)) continue
      const spec = world.specs.get(`${live.id}@${live.version}`)!
      history.unreachable.add(flow)
      await publish(flow, { ...spec, context: 0 }, world)
    }
  },
  'delete-context': async ({ context }, world, history) => {
    const path = world.contextOf(context)
    await world.deps.contexts.remove(path)
    history.contextDeleted(path, world)
  },
  die: async () => {},
  restart: async () => {},
  freeze: async () => {},
  refuse: async ({ writes, call }, { condition }) => {
    condition.refusals = writes
    condition.refusing = call
  },
  lose: async ({ writes, call }, { condition }) => {
    condition.losses = writes
    condition.losing = call
  },
  tear: async ({ call, steps }, world) => {
    world.condition.tearing = call
    world.livesOn = steps
  },
  full: (event, world) => breakStore(event, world),
  down: (event, world) => breakStore(event, world),
  shaky: (event, world) => breakStore(event, world),
  jump: async ({ ms }, { wall }) => {
    wall.skewMs += ms
  }
}

type Breaks = Extract<LifeEvent, { kind: 'full' | 'down' | 'shaky' }>

async function breakStore({ kind, ms }: Breaks, world: World): Promise<void> {
  const { condition, scheduler } = world
  if (condition.state === 'torn') return
  condition.state = kind
  scheduler.add(ms, 'the store takes writes again', undefined, () => {
    if (condition.state === kind) condition.state = 'sound'
  })
}

async function publish(flow: number, spec: FlowSpec, world: World): Promise<void> {
  const { id, version } = world.flow(flow)!
  const isSaved = world.specs.saving(`${id}@${version + 1}`, spec)
  try {
    await world.deps.library.save(id, version, world.documentOf(spec))
    isSaved(true)
  } catch (error) {
    isSaved(false)
    throw error
  }
}

/** Its runs that have not ended are cancelled with it. */
export async function purge(flowId: string, world: World, history: History): Promise<void> {
  for (const run of world.records.open()) if (run.flowId === flowId) history.cancelling(run.id)
  const answered = history.purging(flowId, world)
  try {
    await world.deps.bin.purge(flowId)
  } finally {
    answered()
  }
}

async function cancelRun({ id }: Pick<RunRecord, 'id'>, world: World, history: History): Promise<void> {
  const run = await world.deps.runs.get(id)
  history.cancelling(id)
  await world.deps.runs.cancel(run)
  history.cancelled(id, world)
}

interface Callable {
  readonly runId: string
  readonly node: string
}

export async function callRun({ runId, node }: Callable, world: World, history: History): Promise<void> {
  const run = await world.deps.runs.get(runId)
  const done = history.waking(runId, node, 'call', world)
  const result = await world.deps.runs.wake(run, node, {
    by: 'call',
    value: { data: { v: calledWith(node) }, request: null, deliveries: [] } as JsonValue,
    answer: { deliveries: [] } as JsonValue,
    early: true
  })
  if (!result.won && result.because === 'none')
    world.fail('an early call is taken', `${node} of ${runId}, which had not ended, took no call.`)
  done(result.won)
}

export async function answerQuestion(id: string, choice: string, world: World): Promise<void> {
  const { store, runs, clock } = world.deps
  const wake: ConstructorParameters<typeof Approvals>[0]['wake'] = (...args) => runs.wake(...args)
  const approvals = new Approvals({ store: store.runs, wake, now: clock.now })
  const wait = await approvals.find(id)
  if (wait !== undefined) await approvals.answer(wait, { choice, comment: null, by: 'Ann', via: 'key' })
}

function waitingFor(world: World, ...kinds: string[]): ReturnType<World['records']['openWaits']> {
  return world.records.openWaits().filter(({ kind }) => kinds.includes(kind))
}

/** Every Wait for call of every run that has not ended: its address is known as soon as the run is. */
function callable(world: World): Callable[] {
  return world.records.open().flatMap((run) => {
    const spec = world.specOf(run)
    const segments = [...allSegments(spec?.segments ?? [])]
    const inside = segments.find(({ id }) => id === run.node)
    // What an agent calls waits for no call.
    if (inside?.kind === 'agent') return []
    const own =
      isInside(run) && inside !== undefined && isRegion(inside) ? [...allSegments(inside.body)] : segments
    return own.filter(({ kind }) => kind === 'wait').map(({ id: node }) => ({ runId: run.id, node }))
  })
}

function isToBeRetried({ status, isAwaited }: RunRecord): boolean {
  return (status === 'failed' || status === 'cancelled') && !isAwaited
}

/** It succeeded with items that failed. */
function hasFailedItems(run: RunRecord, world: World): boolean {
  if (run.status !== 'succeeded' || run.parentSeq !== null) return false
  const regions = [...allSegments(world.specOf(run)?.segments ?? [])].filter(({ kind }) => kind === 'each')
  return regions.some(({ id }) =>
    world.records.childrenOf(run.seq, id).some(({ status }) => status !== 'succeeded' && status !== null)
  )
}

function shareOf<T>(list: readonly T[], share: number): T | undefined {
  return list[Math.floor(share * list.length)]
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}
