import assert from 'node:assert/strict'
import type { Store } from '../store.ts'
import {
  acceptMany,
  beforeAndAfterRestart,
  type OpenSubject,
  sampleMessage,
  sampleOutcome,
  storeTest
} from './subject.test-kit.ts'

async function read(store: Store, seq: number, name: string, piece: number): Promise<string | undefined> {
  const bytes = await store.runs.readPiece(seq, name, piece)
  return bytes === undefined ? undefined : Buffer.from(bytes).toString('latin1')
}

const piece = (name: string, no: number, text: string) => {
  return { name, piece: no, bytes: Buffer.from(text, 'latin1') }
}

export function longValueContract(open: OpenSubject): void {
  storeTest(open, 'pieces come back byte by byte, by run, name and number', async (subject) => {
    const { store } = subject
    const [first, second] = await acceptMany(store, 2)
    const name = 'outputs/a "b"\0/ü'
    assert.equal(await store.runs.keepPiece(first!, piece(name, 0, '\0\xff"\\')), true)
    assert.equal(await store.runs.keepPiece(first!, piece(name, 1, 'more')), true)
    assert.equal(await store.runs.keepPiece(second!, piece(name, 0, 'other')), true)
    for await (const each of beforeAndAfterRestart(subject)) {
      assert.equal(await read(each, first!.seq, name, 0), '\0\xff"\\')
      assert.equal(await read(each, first!.seq, name, 1), 'more')
      assert.equal(await read(each, second!.seq, name, 0), 'other')
      assert.equal(await read(each, first!.seq, name, 2), undefined)
      assert.equal(await read(each, first!.seq, 'outputs', 0), undefined)
    }
  })

  storeTest(open, 'a piece that is written again replaces the one before', async ({ store }) => {
    const [run] = await acceptMany(store, 1)
    for (const text of ['before the crash', 'after it']) await store.runs.keepPiece(run!, piece('a', 0, text))
    assert.equal(await read(store, run!.seq, 'a', 0), 'after it')
  })

  storeTest(open, 'a run that has ended takes no more, one that is opened again does', async ({ store }) => {
    const [run] = await acceptMany(store, 1)
    await store.runs.keepPiece(run!, piece('a', 0, 'a'))
    await store.runs.end(run!, sampleOutcome({ status: 'failed' }))
    assert.equal(await store.runs.keepPiece(run!, piece('a', 0, 'late')), false)
    assert.equal(await read(store, run!.seq, 'a', 0), 'a')
    await store.runs.reopen(run!, '"again"')
    assert.equal(await store.runs.keepPiece(run!, piece('b', 0, 'b')), true)
    assert.deepEqual([await read(store, run!.seq, 'a', 0), await read(store, run!.seq, 'b', 0)], ['a', 'b'])
  })

  storeTest(open, 'they go with their run', async ({ store }) => {
    const runs = await acceptMany(store, 4)
    for (const run of runs) {
      for (let no = 0; no < 20; no++) await store.runs.keepPiece(run, piece('a', no, 'a'))
      await store.runs.end(run, sampleOutcome())
    }
    assert.equal(await store.runs.prune({ keep: 1, slice: 2 }), 2)
    assert.equal(await store.runs.prune({ keep: 1, slice: 2 }), 1)
    for (const { seq } of runs.slice(0, 3)) {
      for (let no = 0; no < 20; no++) assert.equal(await read(store, seq, 'a', no), undefined)
    }
    assert.equal(await read(store, runs[3]!.seq, 'a', 19), 'a')
  })

  storeTest(open, 'a message may name one instead of its text', async ({ store }) => {
    const [run] = await acceptMany(store, 1)
    const messages = [sampleMessage({ text: '', long: '["a",1]' }), sampleMessage({ text: 'short' })]
    await store.runs.end(run!, sampleOutcome({ messages }))
    const { messages: found } = await store.messages.list({ flowId: 'flow-a', limit: 10 })
    assert.deepEqual(
      found.map(({ text, long }) => [text, long]),
      [
        ['', '["a",1]'],
        ['short', undefined]
      ]
    )
  })
}
