import assert from 'node:assert/strict'
import type { AcceptedRun, RunFilter, Store } from '../store.ts'
import { expected, filterContract, variety } from './list-filters.test-kit.ts'
import {
  acceptAndEnd,
  acceptMany,
  listedIds,
  type OpenSubject,
  sampleOutcome,
  sampleRun,
  storeTest
} from './subject.test-kit.ts'

export function listContract(open: OpenSubject): void {
  summaryContract(open)
  filterContract(open)
  textContract(open)
  cursorContract(open)
}

function summaryContract(open: OpenSubject): void {
  storeTest(open, 'what no text of a flow can be finds nothing', async ({ store }) => {
    const run = await store.runs.accept(sampleRun())
    for (const nul of ['\0', `${run.flowId}\0`]) {
      const flowIds = [nul]
      for (const status of [undefined, 'open', 'failed', 'waiting', 'not waiting'] as const)
        assert.deepEqual(await listedIds(store, { flowIds, ...(status && { status }) }), [])
      assert.deepEqual(await listedIds(store, { flowIds: [nul, run.flowId] }), [run.id])
      assert.equal(await store.runs.get(nul), undefined)
      assert.deepEqual(await store.runs.listWaits({ kind: 'answer', flowIds, limit: 10 }), [])
      assert.equal((await store.runs.stats({ from: 0, width: 1_000_000, spans: 1, flowIds })).length, 1)
    }
  })

  storeTest(open, 'a list is newest first and says in short how each run stands', async ({ store }) => {
    const waiting = await store.runs.accept(sampleRun({ replayOf: 'an-older-run' }))
    const ended = await store.runs.accept(sampleRun())
    const begun = await store.runs.accept(sampleRun())
    for (const run of [ended, begun]) {
      await store.runs.checkpoint(run, '"first"')
      await store.runs.checkpoint(run, '"second"')
    }
    const {
      steps: _,
      messages,
      nodesWithOutput,
      usage,
      ...kept
    } = sampleOutcome({
      status: 'failed',
      error: '{}'
    })
    const no = await store.runs.end(ended, { ...kept, steps: '[1]', messages, nodesWithOutput, usage })
    const short = ({ input, request: _request, ...rest }: AcceptedRun) => {
      return { ...rest, inputStart: { text: Buffer.from(input).toString(), isCut: false } }
    }
    assert.deepEqual(await store.runs.list({ limit: 10 }), {
      runs: [
        { ...short(begun), outcome: null, firstEntry: '"first"' },
        { ...short(ended), outcome: { no, ...kept }, firstEntry: null },
        { ...short(waiting), outcome: null, firstEntry: null }
      ],
      next: null
    })
  })

  storeTest(
    open,
    'a list has the beginning of each input as text, however large it is',
    async ({ store }) => {
      const inputs = [
        '',
        'x'.repeat(1024),
        // The cut goes through a character.
        `${'x'.repeat(1023)}é`,
        '\ufeff{}',
        `{"a":"${'é'.repeat(20_000)}"}`,
        `"${'y'.repeat(1_000_000)}"`
      ].map((text) => Buffer.from(text))
      const binary = Buffer.from([0xff, 0x00, 0x41])
      for (const input of [...inputs, binary]) await store.runs.accept(sampleRun({ input }))
      const { runs } = await store.runs.list({ limit: 10 })
      assert.deepEqual(
        runs.map(({ inputStart }) => inputStart),
        [
          { text: '\ufffd\0A', isCut: false },
          { text: `"${'y'.repeat(1023)}`, isCut: true },
          { text: `{"a":"${'é'.repeat(509)}`, isCut: true },
          { text: '{}', isCut: false },
          { text: 'x'.repeat(1023), isCut: true },
          { text: 'x'.repeat(1024), isCut: false },
          { text: '', isCut: false }
        ]
      )
    }
  )

  storeTest(open, 'an empty store has an empty list', async ({ store }) => {
    assert.deepEqual(await store.runs.list({ limit: 10 }), { runs: [], next: null })
    assert.deepEqual(await store.runs.list({ limit: 10, since: 1, until: 2 }), { runs: [], next: null })
  })
}

function textContract(open: OpenSubject): void {
  storeTest(
    open,
    'text is found in the input, the error and as the beginning of the id',
    async ({ store }) => {
      const input = await acceptAndEnd(store, { input: Buffer.from('{"customer":"Ada Lovelace"}') })
      const error = await acceptAndEnd(
        store,
        {},
        { status: 'failed', error: '{"message":"No Key \\"total\\""}' }
      )
      const waiting = await store.runs.accept(sampleRun({ id: 'Zz-special-id' }))
      assert.deepEqual(await listedIds(store, { text: 'aDA love' }), [input.id])
      assert.deepEqual(await listedIds(store, { text: 'no key' }), [error.id])
      assert.deepEqual(await listedIds(store, { text: 'zZ-spec' }), [waiting.id])
      assert.deepEqual(await listedIds(store, { text: 'special-id' }), [])
      assert.deepEqual(await listedIds(store, { text: 'nowhere' }), [])
    }
  )

  storeTest(open, 'text is found however its sender spelled it in JSON', async ({ store }) => {
    const bodies = [
      '{"who":"M\\u00FCller \\"the\\" 1st","at":"https://a.b/c"}',
      '{"who":"Müller \\"the\\" 1st","at":"https:\\/\\/a.b\\/c"}'
    ]
    const ids: string[] = []
    for (const body of bodies) {
      ids.unshift((await store.runs.accept(sampleRun({ input: Buffer.from(body) }))).id)
    }
    for (const text of ['Müller', 'müller "the" 1ST', 'https://a.b/c']) {
      assert.deepEqual(await listedIds(store, { text }), ids, text)
    }
    assert.deepEqual(await listedIds(store, { text: 'Moller' }), [])
    const error = JSON.stringify({ message: 'Node "parser-1" failed: ü' })
    const failed = await acceptAndEnd(store, {}, { status: 'failed', error })
    assert.deepEqual(await listedIds(store, { text: 'node "parser-1" failed: ü' }), [failed.id])
  })

  storeTest(open, 'wildcards and quotes in the text mean themselves', async ({ store }) => {
    const odd = await store.runs.accept(sampleRun({ input: Buffer.from(`{"t":"100% of a_b \\\\ 'x' *?["}`) }))
    await store.runs.accept(sampleRun({ input: Buffer.from('{"t":"1000 of aXb"}') }))
    for (const text of ['100%', 'a_b', '\\\\', "'x'", '*?[', '%']) {
      assert.deepEqual(await listedIds(store, { text }), [odd.id], text)
    }
  })

  storeTest(open, 'letters beyond ASCII are found as they are written', async ({ store }) => {
    const run = await store.runs.accept(sampleRun({ input: Buffer.from('{"t":"Grüße 🙂"}') }))
    assert.deepEqual(await listedIds(store, { text: 'GRüße 🙂' }), [run.id])
  })
}

function cursorContract(open: OpenSubject): void {
  storeTest(
    open,
    'pages give each run exactly once while new ones arrive and others end',
    async ({ store }) => {
      const runs = await acceptMany(store, 25)
      const seen: string[] = []
      let before: number | undefined
      for (;;) {
        const page = await store.runs.list({ limit: 4, ...(before === undefined ? {} : { before }) })
        seen.push(...page.runs.map((run) => run.id))
        if (page.next === null) break
        before = page.next
        const [arrived] = await acceptMany(store, 2)
        await store.runs.end(arrived!, sampleOutcome())
        await store.runs.end(runs[seen.length % 25]!, sampleOutcome())
      }
      assert.deepEqual(seen, runs.map((run) => run.id).reverse())
    }
  )

  storeTest(open, 'the last page says that it is the last', async ({ store }) => {
    const runs = await acceptMany(store, 6, { flowId: 'flow-b' })
    for (const filter of [{}, { flowIds: ['flow-b'] }, { status: 'open' as const }]) {
      const first = await store.runs.list({ ...filter, limit: 3 })
      assert.equal(first.next, runs[3]!.seq)
      const last = await store.runs.list({ ...filter, limit: 3, before: first.next! })
      assert.equal(last.runs.length, 3)
      assert.equal(last.next, null)
    }
  })

  storeTest(open, 'a search that is ended early is gone on with, and misses nothing', async ({ store }) => {
    const known = await variety(store)
    const efforts = [
      { runs: 1, ms: 60_000 },
      { runs: 7, ms: 60_000 },
      { runs: 1_000, ms: 0 }
    ]
    for (const effort of efforts) {
      for (const filter of [
        { text: 'needle' },
        { text: 'needle', flowIds: ['flow-b'] },
        { text: 'nowhere' }
      ]) {
        const { ids, pages } = await search(store, { ...filter, effort, limit: 5 })
        assert.deepEqual(ids, expected(known, filter), JSON.stringify({ filter, effort }))
        if (effort.runs < 60) assert.ok(pages >= 20 / effort.runs, `${pages} pages of ${effort.runs}`)
      }
    }
  })
}

async function search(store: Store, filter: RunFilter): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = []
  let before: number | null = Number.MAX_SAFE_INTEGER
  let pages = 0
  for (; before !== null; pages++) {
    const page: Awaited<ReturnType<Store['runs']['list']>> = await store.runs.list({ ...filter, before })
    ids.push(...page.runs.map(({ id }) => id))
    before = page.next
  }
  return { ids, pages }
}
