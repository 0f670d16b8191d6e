import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedPostgres } from '../../../../../test/support/postgres.ts'
import type { ChildRules, NewChild } from '../../../children.ts'
import { sampleOutcome, sampleRun } from '../../../contract/subject.test-kit.ts'
import type { ClaimedRun, SharedStore, Signal } from '../../../shared-store.ts'
import type { AcceptedRun, EndStatus, RunRef } from '../../../store.ts'
import { openTwo, silence, type TwoStores } from '../../shared-stores.test-kit.ts'

const postgres = sharedPostgres()

const PARENTS = 'flow-a'
const CHILDREN = 'flow-b'
const NODE = 'each-1'
const ALL: ChildRules = { atOnce: 1_000, stopsOnFailure: false }

const claim = ({ queue }: SharedStore, flowId: string, most = 1_000) =>
  queue.claim([{ flowId, most, limit: null }])
const unclaimed = ({ seq, flowId }: RunRef): RunRef => ({ seq, flowId })
const end = ({ runs }: SharedStore, run: RunRef, status: EndStatus = 'succeeded') =>
  runs.end(run, sampleOutcome({ status }))

function newChildren(parent: AcceptedRun, count: number, isAwaited = true): NewChild[] {
  const { seq, id: runId, flowId } = parent
  return Array.from({ length: count }, (_, index) => ({
    ...sampleRun({ flowId: CHILDREN }),
    parent: { seq, runId, flowId, node: isAwaited ? NODE : 'call-1', index, depth: 1, isAwaited }
  }))
}

async function newParent(store: SharedStore, count: number, rules = ALL): Promise<ClaimedRun> {
  await store.runs.accept(sampleRun({ flowId: PARENTS }))
  const [parent] = await claim(store, PARENTS)
  await store.runs.startChildren(parent!, NODE, newChildren(parent!, count), rules)
  return parent!
}

const park = ({ runs }: SharedStore, parent: RunRef) => runs.park(parent, '"parked"', null, [NODE])

/** How many children have their turn, and have not ended. */
async function underWay({ sql }: TwoStores): Promise<number> {
  const [row] = await sql<{ runs: string }>(
    `SELECT count(*) AS runs FROM millrace_queue.job
     WHERE name = 'flow/${CHILDREN}' AND NOT coalesce(data ? 'turn', false)`
  )
  return Number(row!.runs)
}

test('of two processes that end the last children together one wakes the parent, and no other later', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  for (let round = 0; round < 12; round++) {
    const parent = await newParent(a, 2)
    const [first] = await claim(a, CHILDREN, 1)
    const [second] = await claim(b, CHILDREN)
    const ends = [() => end(a, first!), () => end(b, second!), () => park(a, parent)]
    await Promise.all((round % 2 === 0 ? ends : ends.reverse()).map((each) => each()))
    const taken = await Promise.all([claim(a, PARENTS), claim(b, PARENTS)])
    assert.deepEqual(
      taken.flat().map((run) => [run.seq, run.wasParked]),
      [[parent.seq, true]]
    )
    assert.deepEqual(await b.runs.closeWait(unclaimed(parent), NODE, 1), { state: 'over' })
    await end(a, unclaimed(parent))
  }
})

test('who parks a parent waits for who is just ending its last child', async (t) => {
  const { a, b, begin, untilBlocked } = await openTwo(t, postgres)
  const parent = await newParent(a, 1)
  const ending = await begin(`UPDATE millrace.waits SET children_left = 0 WHERE run_seq = ${parent.seq}`)
  const parking = park(a, parent)
  await untilBlocked(parking)
  await ending.commit()
  await parking
  assert.deepEqual(
    (await claim(b, PARENTS)).map(({ seq }) => seq),
    [parent.seq]
  )
})

test('never more children are under way than may be, however their ends race', async (t) => {
  const two = await openTwo(t, postgres)
  const { a, b } = two
  const parent = await newParent(a, 40, { atOnce: 5, stopsOnFailure: false })
  await park(a, parent)
  const ended: number[] = []
  while (ended.length < 40) {
    const batches = await Promise.all([claim(a, CHILDREN, 3), claim(b, CHILDREN, 3)])
    assert.ok(batches.flat().length <= 5)
    await Promise.all(
      batches.flatMap((runs, place) =>
        runs.map(async (run) => {
          await end(place === 0 ? a : b, run)
          ended.push(run.parent!.index)
        })
      )
    )
    assert.equal(await underWay(two), Math.min(5, 40 - ended.length))
  }
  assert.deepEqual(
    ended.toSorted((x, y) => x - y),
    Array.from({ length: 40 }, (_, index) => index)
  )
  assert.equal((await claim(b, PARENTS)).length, 1)
})

test('turns come in order also where it is not known from where on children wait, as in a store that was copied', async (t) => {
  const { a, sql } = await openTwo(t, postgres)
  const rules = { atOnce: 1, stopsOnFailure: false }
  const parent = await newParent(a, 3, rules)
  await sql('UPDATE millrace.waits SET turn_from = NULL')
  const more = newChildren(parent, 5).slice(3)
  await a.runs.startChildren(parent, NODE, more, rules)
  const order: number[] = []
  for (let count = 0; count < 5; count++) {
    const [child] = await claim(a, CHILDREN)
    order.push(child!.parent!.index)
    await end(a, child!)
  }
  assert.deepEqual(order, [0, 1, 2, 3, 4])
})

test('ends of children, of their parents and signs of life in any order stop nobody', async (t) => {
  const { a, b, sql } = await openTwo(t, postgres)
  const parents: ClaimedRun[] = []
  for (let count = 0; count < 6; count++) parents.push(await newParent(a, 8, { ...ALL, atOnce: 6 }))
  const [ofA, ofB] = [await claim(a, CHILDREN, 18), await claim(b, CHILDREN)]
  await Promise.all([
    ...ofA.map((run) => end(a, run)),
    ...ofB.toReversed().map((run) => end(b, run, 'failed')),
    a.queue.heartbeat([...ofA, ...parents]),
    b.queue.heartbeat(ofB),
    ...parents.map((parent, place) =>
      place % 2 === 0 ? end(b, unclaimed(parent), 'cancelled') : park(a, parent)
    )
  ])
  const left = [...(await claim(a, CHILDREN)), ...(await claim(b, CHILDREN))]
  for (const run of left) {
    const isOrphaned = parents.findIndex(({ seq }) => seq === run.parent!.seq) % 2 === 0
    assert.equal(await b.runs.isOrphaned(run.seq), isOrphaned)
  }
  await Promise.all(left.map((run, place) => end(place % 2 === 0 ? a : b, run)))
  assert.equal(left.length, 12)
  assert.deepEqual((await claim(b, PARENTS)).length, 3)
  assert.deepEqual(await sql(`SELECT DISTINCT children_left, children_in_line FROM millrace.waits`), [
    { children_left: 0, children_in_line: 0 }
  ])
})

test('who executes a parent is told when the last child has ended elsewhere, once; of one that is parked nobody has to be', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const heard: string[] = []
  const told = Promise.withResolvers<void>()
  b.signals.listen(({ woken = [], cancel = [] }) => {
    heard.push(...woken)
    if (cancel.includes('over')) told.resolve()
  })
  const [parent, stopped] = [await newParent(b, 3), await newParent(b, 2, { ...ALL, stopsOnFailure: true })]
  const parked = await newParent(b, 1)
  await park(b, parked)
  const children = await claim(a, CHILDREN)
  const of = ({ seq }: RunRef) => children.filter((child) => child.parent!.seq === seq)
  for (const child of of(parent).slice(1)) await end(a, child)
  await a.signals.flush()
  assert.deepEqual(heard, [], 'there is one left')
  for (const child of [...of(parent).slice(0, 1), ...of(parked)]) await end(a, child)
  for (const child of of(stopped)) await end(a, child, 'failed')
  a.signals.tell({ cancel: ['over'] })
  await told.promise
  assert.deepEqual(heard, [parent.id, stopped.id])
})

test('who executes children, or could, is told when nobody waits for them any more', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const heard = { a: [] as Signal[], b: [] as Signal[] }
  const signalOf = (store: SharedStore, kept: Signal[]) =>
    new Promise<void>((resolve) =>
      store.signals.listen((signal) => {
        kept.push(signal)
        if (signal.cancel !== undefined) resolve()
      })
    )
  const told = [signalOf(a, heard.a), signalOf(b, heard.b)]
  const parent = await newParent(a, 3, { atOnce: 2, stopsOnFailure: false })
  const detached = await a.runs.startDetached(parent, newChildren(parent, 1, false)[0]!)
  const children = await claim(b, CHILDREN)
  await end(a, parent, 'cancelled')
  await Promise.all(told)
  for (const signals of [heard.a, heard.b]) {
    assert.deepEqual(
      new Set(signals.flatMap(({ cancel }) => cancel ?? [])),
      new Set([...children.map(({ id }) => id), detached!.id])
    )
    assert.ok(signals.some(({ work }) => work?.includes(CHILDREN)))
  }
  const [queued] = await claim(b, CHILDREN)
  assert.equal(queued?.parent?.index, 2)
  assert.equal(await a.runs.isOrphaned(queued!.seq), true)
})

test('children that were cancelled are opened again in no more than a few times what they took to start', async (t) => {
  const { a } = await openTwo(t, postgres)
  const count = 500
  const timeOf = async (work: () => Promise<unknown>) => {
    const since = performance.now()
    await work()
    return performance.now() - since
  }
  let parent: ClaimedRun | undefined
  const starting = await timeOf(async () => {
    parent = await newParent(a, count)
  })
  const children = await a.runs.children(parent!.seq, NODE, 0, count)
  await Promise.all(children.map((child) => end(a, child, 'cancelled')))
  const again = children.map((run) => ({ run, index: run.index, entry: '"again"' }))
  let opened = 0
  const opening = await timeOf(async () => {
    for (let from = 0; from < count; from += 100) {
      const numbers = await a.runs.reopenChildren(parent!, NODE, again.slice(from, from + 100), ALL)
      opened += numbers.filter((no) => no !== null).length
    }
  })
  assert.equal(opened, count)
  // One by one they took sixty times as long.
  assert.ok(opening < 20 * starting, `${opening} ms for what took ${starting} ms to start`)
})

test('a child whose turn comes while its flow is paused is held until it goes on', async (t) => {
  const two = await openTwo(t, postgres)
  const { a, b, sql } = two
  await sql(
    `INSERT INTO millrace.flows (id, slug, context, version, created_at, updated_at, revision)
     VALUES ('${CHILDREN}', 'b', '/', 1, 1, 1, 1)`
  )
  await sql(
    `INSERT INTO millrace.flow_versions (flow_id, version, created_at, document) VALUES ('${CHILDREN}', 1, 1, '{}')`
  )
  await newParent(a, 2, { atOnce: 1, stopsOnFailure: false })
  const [first] = await claim(b, CHILDREN)
  await a.flows.setPaused(CHILDREN, { mode: 'hold', since: 1, by: 'Ann' }, 5000)
  await end(b, first!)
  assert.deepEqual(
    [await claim(b, CHILDREN), [...(await a.runs.countPaused([CHILDREN]))]],
    [[], [[CHILDREN, 1]]]
  )
  await a.flows.setPaused(CHILDREN, null, 5000)
  assert.equal((await claim(b, CHILDREN)).length, 1)
})

test('whoever has lost the claim on a run starts, records, reopens and drops no children of it', async (t) => {
  const two = await openTwo(t, postgres)
  const { a, b } = two
  const parent = await newParent(a, 2)
  const [failed] = await claim(a, CHILDREN, 1)
  await end(a, failed!, 'failed')
  await silence(two)
  await b.queue.reclaimAbandoned(Date.now())
  const [taken] = await claim(b, PARENTS)
  assert.equal(taken?.seq, parent.seq)
  const [child] = newChildren(parent, 3).slice(2)
  assert.equal(await a.runs.startChildren(parent, NODE, [child!], ALL), null)
  assert.equal(await a.runs.startDetached(parent, child!), null)
  assert.equal(
    await a.runs.recordChildren(parent, NODE, [{ child: child!, outcome: sampleOutcome() }]),
    false
  )
  const again = [{ run: unclaimed(failed!), index: 0, entry: '"x"' }]
  assert.deepEqual(await a.runs.reopenChildren(parent, NODE, again, ALL), [null])
  await a.runs.dropChildren(parent, NODE)
  assert.equal((await a.runs.children(parent.seq, NODE, 0, 10)).length, 2)
  assert.deepEqual(await a.runs.closeWait(parent, NODE, 1), { state: 'lost' })
  assert.deepEqual(await b.runs.closeWait(taken!, NODE, 1), { state: 'open' })
  const [reopened] = await b.runs.reopenChildren(taken!, NODE, again, ALL)
  assert.ok(reopened !== null)
  await b.runs.dropChildren(taken!, NODE)
  assert.deepEqual(await b.runs.closeWait(taken!, NODE, 1), { state: 'over' })
})

test('the plain end of a run looks at nothing but its job', async (t) => {
  const { a, sql } = await openTwo(t, postgres)
  const run = await a.runs.accept(sampleRun({ flowId: PARENTS }))
  await sql('ALTER TABLE millrace.children RENAME TO away')
  await sql('ALTER TABLE millrace.waits RENAME TO away_too')
  assert.ok((await a.runs.checkpoint(run, '"begun"')) !== null)
  assert.ok((await end(a, run)) !== null)
})

test('whoever executes a child hears by a heartbeat that it is orphaned, whether or not a signal came', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const [cancelled, dropping, goingOn] = [await newParent(a, 2), await newParent(a, 1), await newParent(a, 1)]
  const [detached] = newChildren(cancelled, 1, false)
  await a.runs.startDetached(cancelled, detached!)
  const claimed = await claim(b, CHILDREN)
  assert.equal(claimed.length, 5)
  assert.deepEqual(await b.queue.heartbeat(claimed), { lost: [], cancelled: [] })
  await end(a, cancelled, 'cancelled')
  await a.runs.dropChildren(dropping, NODE)
  const told = await b.queue.heartbeat(claimed)
  const continues = claimed.filter(({ seq }) => !told.cancelled.some((run) => run.seq === seq))
  assert.deepEqual(
    continues.map(({ parent }) => parent!.seq),
    [goingOn.seq]
  )
  assert.deepEqual(told.lost, [])
})

test('a child that its parent does not wait for hears of one above that was cancelled, not of one that ended', async (t) => {
  const { a, b } = await openTwo(t, postgres)
  const top = await newParent(a, 1)
  const [middle] = await claim(a, CHILDREN)
  await a.runs.startDetached(middle!, newChildren(middle!, 1, false)[0]!)
  const [lowest] = await claim(b, CHILDREN)
  await end(a, middle!)
  assert.deepEqual(await b.queue.heartbeat([lowest!]), { lost: [], cancelled: [] })
  await end(a, top, 'cancelled')
  assert.deepEqual(await b.queue.heartbeat([lowest!]), { lost: [], cancelled: [lowest] })
})
