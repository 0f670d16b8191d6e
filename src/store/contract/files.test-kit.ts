import assert from 'node:assert/strict'
import type { NewFile } from '../files.ts'
import type { AcceptedRun, Store } from '../store.ts'
import {
  beforeAndAfterRestart,
  type OpenSubject,
  sampleFile,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

const LATER = 9_000_000_000_000

export function fileContract(open: OpenSubject): void {
  storeTest(open, 'a run brings its files, in whichever way it is accepted', async (subject) => {
    const { runs } = subject.store
    const brought = Array.from({ length: 5 }, () => sampleFile())
    const bring = (at: number) => sampleRun({ files: [brought[at]!] })
    const delivered = await runs.acceptOnce(bring(2), [{ key: 'first', body: null }])
    const accepted = [
      await runs.accept(bring(0)),
      await runs.acceptTest(bring(1), '{}'),
      delivered.verdict === 'accepted' ? delivered.run : assert.fail(),
      (await runs.acceptEvent(bring(3), { node: 'schedule-1', mark: 7 }))!,
      await runs.accept({ ...bring(4), whilePaused: 'hold' })
    ]
    for await (const { files } of beforeAndAfterRestart(subject)) {
      for (const [place, run] of accepted.entries()) {
        const file = brought[place]!
        assert.ok(!('files' in run), 'whoever executes it asks for them')
        assert.deepEqual(await files.get(file.id), { ...file, createdAt: run.createdAt })
        assert.deepEqual(await files.usedIn(run.seq, [file.id, brought[(place + 1) % 5]!.id]), [file.id])
        assert.deepEqual(await files.flowsOf(file.id), [run.flowId])
      }
    }
  })

  storeTest(open, 'nothing is left of files that came with what was refused', async ({ store }) => {
    const { runs, files } = store
    const [first, again] = [sampleFile(), sampleFile()]
    await runs.acceptOnce(sampleRun({ files: [first] }), [{ key: 'same', body: null }])
    const repeated = await runs.acceptOnce(sampleRun({ files: [again] }), [{ key: 'same', body: null }])
    assert.notEqual(repeated.verdict, 'accepted')
    const late = sampleFile()
    await runs.acceptEvent(sampleRun(), { node: 'schedule-1', mark: 7 })
    assert.equal(
      await runs.acceptEvent(sampleRun({ files: [late] }), { node: 'schedule-1', mark: 7 }),
      undefined
    )
    for (const { id } of [again, late]) assert.equal(await files.get(id), undefined)
    assert.deepEqual(await files.knownNames([first, again, late].map(({ name }) => name)), [first.name])
    const twice = sampleRun({ files: [sampleFile()] })
    await runs.accept(twice)
    await assert.rejects(runs.accept({ ...twice, files: [again] }), 'the id is taken')
    assert.equal(await files.get(again.id), undefined)
  })

  storeTest(open, 'bytes that are alike are kept once, by the name that came first', async ({ store }) => {
    const { runs, files } = store
    const first = sampleFile()
    const alike = Array.from({ length: 20 }, () => sampleFile({ digest: first.digest }))
    await runs.accept(sampleRun({ files: [first] }))
    const [one, other, ...more] = alike
    await runs.accept(sampleRun({ files: [one!, other!] }))
    await Promise.all(more.map((file) => runs.accept(sampleRun({ files: [file] }))))
    for (const file of alike) assert.equal((await files.get(file.id))!.name, first.name)
    assert.deepEqual(await files.knownNames([first, ...alike].map(({ name }) => name)), [first.name])
    const { name, digest, size } = first
    assert.deepEqual(await files.bytesAfter('', 10), [{ name, digest, size }])
    assert.deepEqual(await files.bytesAfter(name, 10), [])
  })

  storeTest(open, 'bytes are counted in slices, once by content', async ({ store }) => {
    const { runs, files } = store
    assert.deepEqual(await files.countBytes('', 10), { count: 0, bytes: 0, last: null })
    const stored = ['c', 'a', 'b'].map((name, place) => sampleFile({ name, size: 10 ** place }))
    await runs.accept(sampleRun({ files: stored }))
    await runs.accept(sampleRun({ files: [sampleFile({ ...stored[0], id: 'again', name: 'd' })] }))
    assert.deepEqual(await files.countBytes('', 2), { count: 2, bytes: 110, last: 'b' })
    assert.deepEqual(await files.countBytes('b', 2), { count: 1, bytes: 1, last: 'c' })
  })

  storeTest(
    open,
    'uploads are unused until a run names them, and again when it is deleted',
    async ({ store }) => {
      const { runs, files } = store
      const upload = (size: number, uploadedBy: string, context: string) => {
        const file = sampleFile({ size, uploadedBy, context })
        return files.add(file, 1000).then(() => file)
      }
      const one = await upload(1, 'key-1', '/a')
      await upload(10, 'key-1', '/b')
      await upload(100, 'key-2', '/a')
      await runs.accept(sampleRun({ files: [sampleFile({ context: '/a' })] }))
      assert.deepEqual(await files.unused({ uploadedBy: 'key-1' }), { files: 2, bytes: 11 })
      assert.deepEqual(await files.unused({ context: '/a' }), { files: 2, bytes: 101 })
      const run = await runs.accept(sampleRun({ uses: [one.id] }))
      await runs.accept(sampleRun({ uses: [one.id] }))
      assert.deepEqual(await files.unused({ uploadedBy: 'key-1' }), { files: 1, bytes: 10 })
      assert.deepEqual(await files.unused({ context: '/a' }), { files: 1, bytes: 100 })
      await files.sweep(LATER, 10)
      assert.ok(await files.get(one.id), 'a run names it')
      await runs.end(run, sampleOutcome())
      await runs.prune({ keep: 0, slice: 10 })
      await files.sweep(LATER, 10)
      assert.ok(await files.get(one.id), 'another does still')
    }
  )

  storeTest(open, 'a family knows which ids were sent to one of it', async ({ store }) => {
    const { runs, files } = store
    const [sent, other] = [sampleFile(), sampleFile()]
    const [parent, alone] = [await runs.accept(sampleRun()), await runs.accept(sampleRun())]
    await files.use(alone, { files: [sent, other] }, 1000)
    const detached = (await runs.startDetached(parent, childOf(parent, 0, undefined, 'run-1')))!
    const known = (run: AcceptedRun) =>
      Promise.all([sent.id, other.id, 'file_of_nobody'].map((id) => files.wasSent(run.seq, id)))
    await files.noteSent(detached.seq, [sent.id, 'file_of_nobody'])
    await files.noteSent(detached.seq, [sent.id])
    for (const run of [detached, parent]) assert.deepEqual(await known(run), [true, false, false])
    assert.deepEqual(await known(alone), [false, false, false])
    await prune(store, parent)
    assert.deepEqual(await known(detached), [true, false, false], 'it outlives the one above it')
    for (const run of [detached, alone]) await runs.end(run, sampleOutcome())
    while ((await runs.prune({ keep: 0, slice: 10 })) > 0);
    for (const run of [detached, parent]) assert.deepEqual(await known(run), [false, false, false])
  })

  storeTest(open, 'runs name files that are there, and no others', async ({ store }) => {
    const { runs, files } = store
    const uploaded = sampleFile({ uploadedBy: 'key-1' })
    await files.add(uploaded, 1000)
    assert.deepEqual(await files.get(uploaded.id), { ...uploaded, createdAt: 1000 })
    assert.deepEqual(await files.flowsOf(uploaded.id), [])
    const uses = [uploaded.id, 'file_of_nobody']
    const first = await runs.accept(sampleRun({ uses }))
    const [file, bringing] = [sampleFile(), await runs.accept(sampleRun({ flowId: 'flow-b' }))]
    await files.use(bringing, { uses, files: [file] }, 2000)
    await files.use(bringing, { uses }, 3000)
    assert.deepEqual(await files.usedIn(first.seq, uses), [uploaded.id])
    assert.deepEqual(
      (await files.usedIn(bringing.seq, [...uses, file.id])).sort(),
      [uploaded.id, file.id].sort()
    )
    assert.deepEqual((await files.flowsOf(uploaded.id)).sort(), ['flow-a', 'flow-b'])
    assert.equal((await files.get(file.id))!.createdAt, 2000)
  })

  storeTest(open, 'nothing is kept of files that a run makes when it is deleted', async ({ store }) => {
    const { runs, files } = store
    const [run, file] = [await runs.accept(sampleRun()), sampleFile()]
    const uploaded = sampleFile({ uploadedBy: 'key-1' })
    await files.add(uploaded, 1000)
    await prune(store, run)
    await files.use(run, { files: [file], uses: [uploaded.id] }, 2000)
    await files.noteSent(run.seq, [uploaded.id])
    assert.equal(await files.get(file.id), undefined)
    assert.deepEqual(await files.knownNames([file.name]), [], 'its bytes are removed by whoever stored them')
    assert.equal(await files.wasSent(run.seq, uploaded.id), false)
    assert.deepEqual(await files.sweep(LATER, 10), { files: 1, names: [uploaded.name] })
    assert.equal(await files.get(uploaded.id), undefined)
  })

  storeTest(open, 'a family shares what one of it names', async ({ store }) => {
    const { runs, files } = store
    const [above, below, strange] = [sampleFile(), sampleFile(), sampleFile()]
    const all = [above.id, below.id, strange.id]
    await runs.accept(sampleRun({ files: [strange] }))
    const parent = await runs.accept(sampleRun({ files: [above] }))
    const [one] = (await runs.startChildren(parent, 'each-1', [childOf(parent, 0, below)], RULES))!
    const detached = (await runs.startDetached(parent, childOf(parent, 0, undefined, 'run-1')))!
    for (const { seq } of [parent, one!, detached]) {
      assert.deepEqual((await files.usedIn(seq, all)).sort(), [above.id, below.id].sort())
    }
    assert.ok(!('files' in one!))
    const recorded = { child: childOf(parent, 0, strangeTo(strange), 'each-2'), outcome: sampleOutcome() }
    assert.equal(await runs.recordChildren(parent, 'each-2', [recorded]), true)
    assert.equal((await files.usedIn(parent.seq, all)).length, 2)
    assert.equal((await files.usedIn(parent.seq, [recorded.child.files![0]!.id])).length, 1)
  })

  storeTest(open, 'files are swept a day after nobody names them', async ({ store }) => {
    const { files } = store
    const [one, alike] = [sampleFile(), sampleFile()]
    await files.add(one, 1000)
    await files.add({ ...alike, digest: one.digest }, 2000)
    assert.deepEqual(await files.sweep(1000, 10), { files: 0, names: [] })
    assert.deepEqual(await files.sweep(1500, 10), { files: 1, names: [] }, 'another one has these bytes')
    assert.equal(await files.get(one.id), undefined)
    assert.equal((await files.get(alike.id))!.name, one.name)
    assert.deepEqual(await files.sweep(LATER, 10), { files: 1, names: [one.name] })
    assert.deepEqual(await files.knownNames([one.name]), [])
    await files.add({ ...sampleFile(), digest: one.digest }, 3000)
    assert.notDeepEqual(await files.bytesAfter('', 1), [], 'the same content may come again')
  })

  storeTest(open, 'files go with the last run that names them, and not before', async ({ store }) => {
    const { runs, files } = store
    const file = sampleFile()
    const [first, waiting] = [
      await runs.accept(sampleRun({ files: [file] })),
      await runs.accept(sampleRun({ uses: [file.id] }))
    ]
    await runs.park(waiting, '{}', LATER)
    assert.deepEqual(await files.sweep(LATER, 10), { files: 0, names: [] })
    await prune(store, first)
    assert.deepEqual(await files.sweep(LATER, 10), { files: 1, names: [] }, 'the run that waits names it')
    assert.deepEqual(await files.sweep(LATER, 10), { files: 0, names: [] }, 'and is not asked again')
    assert.ok(await files.get(file.id))
    await prune(store, waiting)
    assert.deepEqual(await files.sweep(file.size, 10), { files: 0, names: [] }, 'it is not a day old')
    assert.deepEqual(await files.sweep(LATER, 10), { files: 1, names: [file.name] })
    assert.equal(await files.get(file.id), undefined)
  })

  storeTest(open, 'what is swept and what is accepted at the same time agree', async ({ store }) => {
    const { runs, files } = store
    for (let round = 0; round < 20; round++) {
      const old = sampleFile()
      await files.add(old, 1000)
      const [same, uses] = [sampleFile({ digest: old.digest }), [old.id]]
      const [swept, naming, bringing] = await Promise.all([
        files.sweep(LATER, 10),
        runs.accept(sampleRun({ uses })),
        runs.accept(sampleRun({ files: [same] }))
      ])
      const brought = (await files.get(same.id))!
      assert.equal(swept.names.includes(brought.name), false, 'bytes that a file has are not removed')
      assert.deepEqual(await files.usedIn(bringing.seq, [same.id]), [same.id])
      const named = await files.usedIn(naming.seq, uses)
      assert.equal((await files.get(old.id)) !== undefined, named.length === 1)
    }
  })
}

const RULES = { atOnce: 10, stopsOnFailure: false }

function strangeTo({ digest }: NewFile): NewFile {
  return sampleFile({ digest })
}

function childOf(parent: AcceptedRun, index: number, file?: NewFile, node = 'each-1') {
  const isAwaited = node !== 'run-1'
  const ref = { seq: parent.seq, runId: parent.id, flowId: parent.flowId, node, index, depth: 1, isAwaited }
  return { ...sampleRun(file && { files: [file] }), parent: ref }
}

async function prune({ runs }: Store, run: AcceptedRun): Promise<void> {
  await runs.end(run, sampleOutcome())
  assert.equal(await runs.prune({ keep: 0, slice: 10 }), 1)
}
