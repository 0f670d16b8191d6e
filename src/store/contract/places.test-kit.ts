import assert from 'node:assert/strict'
import type { Pause } from '../flow-standing.ts'
import { mayFollow, placesBefore, type QueueOperation, type RunPlace, TRANSITIONS } from '../queue-state.ts'
import type { RunQueue } from '../shared-store.ts'
import { isSharedStore } from '../shared-store.ts'
import type { AcceptedRun, NewRun, RunRef, Store } from '../store.ts'
import { ALL, FAILED, sampleChild } from './sample-children.test-kit.ts'
import { sampleWake } from './sample-waits.test-kit.ts'
import {
  beforeAndAfterRestart,
  type OpenSubject,
  sampleFlow,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

const HOLD: Pause = { mode: 'hold', since: 3000, by: 'Ann' }
const NODE = 'each-1'
/** Later than anything is due. */
const LATE = 2e12

/** A child that is in one place, with a parent and a sibling that goes on, in flows of its own. */
interface Stage {
  readonly store: Store
  readonly flowId: string
  readonly parent: AcceptedRun
  readonly sibling: AcceptedRun
  /** As whoever has it writes. */
  readonly run: AcceptedRun & RunRef
}

/** Where processes share the store, whoever executes a run writes under a claim, which none holds here. */
const NO_CLAIM = '0@0'

let stages = 0

async function accept(store: Store, place: RunPlace): Promise<Stage> {
  const name = `${++stages}`
  const flowId = `flow-${name}`
  await store.flows.create(sampleFlow({ id: flowId, slug: `slug-${name}` }))
  const parent = await store.runs.accept(sampleRun({ flowId: `parent-${name}` }))
  const children = [0, 1].map((index) => sampleChild(parent, { index }, { flowId }))
  const rules = { atOnce: place === 'in line' ? 1 : 2, stopsOnFailure: false }
  if (place === 'paused') await store.flows.setPaused(flowId, HOLD, 5000)
  const whilePaused = place === 'paused' ? 'hold' : 'begin'
  const given = children.map((child) => ({ ...child, whilePaused }) as const)
  const begun = await store.runs.startChildren(parent, NODE, [...given], rules)
  const accepted = await Promise.all(children.map(({ id }) => store.runs.get(id)))
  const [sibling, run] = accepted.map((each, index) => begun![index] ?? each!)
  return { store, flowId, parent, sibling: sibling!, run: run! }
}

const shared = (store: Store): RunQueue | undefined => (isSharedStore(store) ? store.queue : undefined)

async function claimed({ store, flowId }: Stage): Promise<AcceptedRun & RunRef> {
  const runs = await shared(store)!.claim([{ flowId, most: 2, limit: null }])
  return runs.find((run) => run.parent?.index === 1) ?? assert.fail('it was not taken up')
}

async function bringTo(store: Store, place: RunPlace): Promise<Stage> {
  const stage = await accept(store, place)
  const claim = shared(store) === undefined ? {} : { claim: NO_CLAIM }
  const { run } = stage
  if (place === 'claimed') return { ...stage, run: await claimed(stage) }
  if (place === 'parked') await store.runs.park(run, '"wait"', 1_000)
  if (place === 'ended') await store.runs.end(run, FAILED)
  return { ...stage, run: { ...run, ...claim } }
}

/** Without a claim: past whoever executes it. */
const bare = ({ run: { claim, ...run } }: Stage): AcceptedRun => run

const DONE: Partial<Record<QueueOperation, (stage: Stage) => Promise<unknown>>> = {
  claim: ({ store, flowId }) => shared(store)!.claim([{ flowId, most: 9, limit: null }]),
  giveBack: ({ store, run }) => shared(store)!.giveBack([run]),
  checkpoint: ({ store, run }) => store.runs.checkpoint(run, '"more"'),
  park: ({ store, run }) => store.runs.park(run, '"wait"', 9_000),
  wake: (stage) => stage.store.runs.wake(sampleWake(bare(stage), { early: true })),
  takeDue: ({ store, flowId }) => store.runs.takeDue(flowId, LATE, ALL),
  pause: ({ store, flowId }) => store.flows.setPaused(flowId, HOLD, 5000),
  resume: ({ store, flowId }) => store.flows.setPaused(flowId, null, 5000),
  giveTurn: ({ store, sibling }) => store.runs.end(sibling, sampleOutcome()),
  release: ({ store, parent }) => store.runs.dropChildren(parent, NODE),
  end: (stage) => stage.store.runs.end(bare(stage), sampleOutcome({ status: 'cancelled' })),
  reopen: (stage) => stage.store.runs.reopen(bare(stage), '"again"'),
  reopenChildren: async (stage) => {
    const reopening = { run: bare(stage), index: 1, entry: '"again"' }
    const rules = { atOnce: 2, stopsOnFailure: false }
    const [no] = await stage.store.runs.reopenChildren(stage.parent, NODE, [reopening], rules)
    return no
  }
}

/** These tell by null that they have refused. */
const TELLS: readonly QueueOperation[] = ['checkpoint', 'park', 'end', 'reopen', 'reopenChildren']
/** These are done by whoever executes the run. */
const EXECUTES: readonly QueueOperation[] = ['checkpoint', 'park']

async function placeOf(store: Store, { run }: Pick<Stage, 'run'>): Promise<RunPlace> {
  const read = await store.runs.readToEnd(run.id)
  if (read === undefined) return 'none'
  assert.equal(read.state === null, read.outcome !== null, 'it is open or has an outcome')
  return read.state ?? 'ended'
}

const PLACES: readonly RunPlace[] = ['queued', 'claimed', 'parked', 'paused', 'in line', 'ended']

/** Every operation in every place makes the transition of the table, or leaves the run where it is; also for the next start. */
export function placeContract(open: OpenSubject): void {
  for (const [name, done] of Object.entries(DONE)) {
    const operation = name as QueueOperation
    storeTest(open, `${operation} leads from each place where the table says`, async (subject) => {
      const { store } = subject
      if ((operation === 'claim' || operation === 'giveBack') && shared(store) === undefined) return
      const places = PLACES.filter((place) => place !== 'claimed' || shared(store) !== undefined)
      const after: (readonly [Stage, RunPlace])[] = []
      for (const from of places) {
        const stage = await bringTo(store, from)
        assert.equal(await placeOf(store, stage), from)
        const result = await done(stage)
        const to = await placeOf(store, stage)
        const allowed = allowedAfter(operation, from, store)
        assert.ok(allowed.includes(to), `${operation} led from ${from} to ${to}, not to ${allowed}`)
        if (TELLS.includes(operation))
          assert.equal(result === null, isRefused(operation, from, store), `${operation} of one ${from}`)
        after.push([stage, to])
      }
      const again = await subject.reopen()
      for (const [stage, to] of after) assert.equal(await placeOf(again, stage), to, 'after a restart')
    })
  }

  storeTest(open, 'runs are accepted into the places that the table names', async (subject) => {
    const { store } = subject
    const found = await acceptAll(store)
    for (const each of found) assert.equal(await placeOf(store, each), each.place, each.operation)
    const again = await subject.reopen()
    for (const each of found) assert.equal(await placeOf(again, each), each.place, 'after a restart')
    const seen = (operation: QueueOperation) =>
      found.filter((each) => each.operation === operation).map(({ place }) => place)
    for (const operation of Object.keys(TRANSITIONS) as QueueOperation[]) {
      if (placesBefore(operation).includes('none'))
        assert.deepEqual(new Set(seen(operation)), new Set(mayFollow(operation, 'none')))
    }
  })

  storeTest(open, 'a turn that comes while the flow is paused leaves the run paused', async (subject) => {
    const stage = await bringTo(subject.store, 'in line')
    // One that is to begin all the same is due.
    const { store, parent, flowId, sibling } = stage
    const late = sampleChild(parent, { index: 2 }, { flowId, whilePaused: 'hold' })
    await store.runs.startChildren(parent, NODE, [late], { atOnce: 1, stopsOnFailure: false })
    await store.flows.setPaused(flowId, HOLD, 5000)
    await store.runs.end(sibling, sampleOutcome())
    assert.equal(await placeOf(store, stage), 'parked')
    await store.runs.end(bare(stage), sampleOutcome())
    const run = (await store.runs.get(late.id))!
    for await (const each of beforeAndAfterRestart(subject))
      assert.equal(await placeOf(each, { run }), 'paused')
  })
}

function isRefused(operation: QueueOperation, from: RunPlace, store: Store): boolean {
  const needsClaim = EXECUTES.includes(operation) && shared(store) !== undefined
  return mayFollow(operation, from).length === 0 || (needsClaim && from !== 'claimed')
}

function allowedAfter(operation: QueueOperation, from: RunPlace, store: Store): readonly RunPlace[] {
  return isRefused(operation, from, store) ? [from] : mayFollow(operation, from)
}

async function acceptAll(store: Store) {
  const running = sampleFlow({ id: 'running', slug: 'running' })
  const held = sampleFlow({ id: 'held', slug: 'held' })
  for (const flow of [running, held]) await store.flows.create(flow)
  await store.flows.setPaused('held', HOLD, 5000)
  const parent = await store.runs.accept(sampleRun())
  const child = (given: Partial<NewRun>, index: number, node = NODE) => ({
    ...sampleChild(parent, { index, node }),
    ...given
  })
  const paused = { flowId: 'held', whilePaused: 'hold' } as const
  const plain = { flowId: 'running' }
  const children = [child(plain, 0), child(paused, 1), child(plain, 2)]
  await store.runs.startChildren(parent, NODE, children, { atOnce: 2, stopsOnFailure: false })
  const executed = child(plain, 0, 'each-2')
  await store.runs.recordChildren(parent, 'each-2', [{ child: executed, outcome: sampleOutcome() }])
  const of = (operation: QueueOperation, place: RunPlace, run: { id: string } | null | undefined) => ({
    operation,
    place,
    run: run as AcceptedRun
  })
  return [
    of('accept', 'queued', await store.runs.accept(sampleRun(plain))),
    of('accept', 'paused', await store.runs.accept(sampleRun(paused))),
    of('startChildren', 'queued', children[0]),
    of('startChildren', 'paused', children[1]),
    of('startChildren', 'in line', children[2]),
    of('startDetached', 'queued', await store.runs.startDetached(parent, child(plain, 0, 'call-1'))),
    of('startDetached', 'paused', await store.runs.startDetached(parent, child(paused, 1, 'call-1'))),
    of('recordChildren', 'ended', executed)
  ]
}
