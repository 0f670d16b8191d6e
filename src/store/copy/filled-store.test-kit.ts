import assert from 'node:assert/strict'
import {
  sampleConnection,
  sampleDocument,
  sampleFile,
  sampleFlow,
  sampleKey,
  sampleMessage,
  sampleOutcome,
  sampleRun
} from '../contract/subject.test-kit.ts'
import type { AcceptedRun, NewRun, Store } from '../store.ts'

export const filledFlows = ['flow-a', 'flow-b', 'flow-c'] as const

/** What a run has been through, by its place. Every state and every way into it is there. */
const fates: readonly ((store: Store, run: AcceptedRun, place: number) => Promise<unknown>)[] = [
  async () => {},
  async (store, run) => {
    for (const piece of [0, 1]) {
      await store.runs.keepPiece(run, {
        name: 'wéb "hook"/text',
        piece,
        bytes: Buffer.from([0, piece, 255, 92])
      })
    }
    await store.runs.checkpoint(run, '{"begun":1}')
  },
  (store, run, place) => store.runs.park(run, '{"asleep":true}', 2_000_000_000_000 + place),
  (store, run) => store.runs.end(run, succeeded(run)),
  (store, run) => store.runs.end(run, failed()),
  (store, run) => store.runs.end(run, sampleOutcome({ status: 'cancelled', startedAt: null })),
  async (store, run) => {
    await store.runs.checkpoint(run, '{"begun":1}')
    await store.runs.end(run, { ...failed(), messages: [sampleMessage({ text: 'first attempt' })] })
    await store.runs.reopen(run, '{"again":1}')
  },
  async (store, run) => {
    await store.runs.end(run, failed())
    await store.runs.reopen(run, '{"again":1}')
    await store.runs.checkpoint(run, '{"further":2}')
    await store.runs.end(run, succeeded(run))
  }
]

function succeeded(run: AcceptedRun) {
  return sampleOutcome({
    steps: `[{"node":"parser-1","outputs":{"text":"Ünïcode 🙂 ${run.id} \\u0000"}}]`,
    nodesWithOutput: ['parser-1', 'wéb "hook"'],
    usage: [
      { model: 'lärge', input: 7, cached: 1, output: 2 },
      { model: 'small "1"', input: 1, cached: 0, output: 1 }
    ],
    messages: [
      sampleMessage({ text: `one of ${run.id}`, createdAt: run.createdAt }),
      sampleMessage({ text: '', long: '["long",1]', createdAt: run.createdAt + 1 }),
      sampleMessage({ text: 'with\0NUL', session: 's\0', createdAt: run.createdAt + 1 })
    ]
  })
}

function failed() {
  return sampleOutcome({ status: 'failed', error: '{"message":"no such key {order}"}' })
}

/** Fills a store with everything that a store can hold, and so many runs. */
export async function fillStore(store: Store, runs: number): Promise<void> {
  await fillLibrary(store)
  for (let begun = 0; begun < runs; begun += 500) {
    const accepted = await Promise.all(
      Array.from({ length: Math.min(500, runs - begun) }, (_, index) => {
        const place = begun + index
        const run = sampleRun({
          flowId: filledFlows[place % filledFlows.length]!,
          flowVersion: 1 + (place % 2),
          createdAt: 1_700_000_000_000 + place,
          input: Buffer.from([place % 256, 0, 255, 92, 34]),
          request: place % 3 === 0 ? '{"method":"POST","headers":{"a":"\\u0000"}}' : null,
          replayOf: place % 5 === 0 ? 'earlier' : null,
          context: place % 7 === 0 ? '/sales' : null,
          ...(place % 7 === 0 && { files: [sampleFile({ id: `file-${place}`, name: `bytes-${place}` })] })
        })
        if (place % 10 === 9)
          return store.runs.acceptTest(
            run,
            `{"place":${place}}`,
            place % 20 === 9 ? '{"pins":{}}' : undefined
          )
        return place % 4 === 0 ? acceptDelivered(store, run, place) : store.runs.accept(run)
      })
    )
    await Promise.all(
      accepted.map((run, index) => fates[(begun + index) % fates.length]!(store, run, begun + index))
    )
  }
  await fillSessions(store)
  await store.flows.setPaused('flow-b', { mode: 'refuse', since: 3000, by: 'Ann' }, 3000)
  await store.flows.setPaused('flow-b', null, 4000)
  await store.flows.setPaused('flow-c', { mode: 'hold', since: 4000, by: 'Ann' }, 5000)
}

/** What is kept besides messages, and besides runs. */
async function fillSessions({ messages, sessions, spending }: Store): Promise<void> {
  const { messages: said } = await messages.list({ flowId: 'flow-a', limit: 2 })
  for (const { session, at: upTo, runId } of said.slice(0, 1)) {
    await sessions.entitle('flow-a', session, 'Änn')
    await sessions.summarize('flow-a', session, { text: 'What was said.', upTo, runId }, null)
  }
  const counts = { calls: 1, input: 5_000_000_000, cached: 0, output: 2, cost: 7, unpriced: 0 }
  await spending.add({
    ...{ writer: 'w', no: 1, at: 1000, runs: [] },
    spent: [{ day: '2026-11-19', context: '/', flowId: 'flow-a', model: 'lärge', ...counts }]
  })
  await spending.setBudget({ context: '/', perMonth: 12.5, perRun: null })
  await spending.setPrices([{ model: 'lärge', input: 0.005, cached: 0, output: 3 }])
}

/** Some know the body too, by which a name that was given twice is told. */
async function acceptDelivered(store: Store, run: NewRun, place: number): Promise<AcceptedRun> {
  const body = place % 8 === 0 ? `body-${place}` : null
  const accepted = await store.runs.acceptOnce(run, [{ key: `delivery-${place}`, body }])
  assert.equal(accepted.verdict, 'accepted')
  return accepted.run
}

async function fillLibrary(store: Store): Promise<void> {
  const {
    flows,
    drafts,
    pins,
    kept,
    files,
    contexts,
    keys,
    connections,
    tokens,
    documents,
    signIns,
    triggers
  } = store
  for (const id of filledFlows) {
    await flows.create(sampleFlow({ id, slug: id }))
    const facts = {
      origin: 'published',
      author: 'Ann',
      name: 'Näme',
      note: 'Why',
      changes: 'Parser: template'
    } as const
    const edit = { slug: `${id}-2`, context: '/a', document: '{"v":2}', at: 2000, keepsSlug: true as const }
    await flows.save({ id, baseVersion: 1, ...edit, ...(id === 'flow-a' && { facts }) })
    const callers = [{ key: 'Shop', address: '::1', calls: 2, lastCalledAt: 2500 }]
    await flows.addAliasCalls([{ flowId: id, slug: id, calls: 2, lastCalledAt: 2500, callers }])
  }
  const draft = { author: 'Ann', baseVersion: 2, at: 4000 }
  await drafts.save({ ...draft, flowId: 'flow-a', revision: 0, document: '{"half":"Ünïcode {' })
  await drafts.save({ ...draft, flowId: 'flow-b', revision: 0, document: '{}', author: null })
  await store.keptDrafts.keep('flow-a', 'restored')
  await drafts.remove('flow-b')
  const pin = { author: 'Ann', madeOf: 'm', updatedAt: 4000, outputs: '{"data":"Ünïcode"}' }
  for (const node of ['b', 'B', 'a-1']) await pins.put({ ...pin, flowId: 'flow-a', node })
  const counted = {
    kind: 'increment',
    context: '/a',
    key: 'cöunt',
    by: 2,
    expiresAt: 9_000_000_000_000,
    at: 4000
  } as const
  await store.collections.create({
    id: 'collection-1',
    name: 'Häuser',
    context: '/a',
    connection: 'models',
    model: 'm',
    createdAt: 4000,
    updatedAt: 4000
  })
  const text = { collectionId: 'collection-1', id: 'Ünïcode', model: 'm', metadata: '{"a":"\\u0000"}' }
  for (const content of ['first', 'second']) {
    await store.knowledge.addChunks(content, 0, [{ text: 'with\0NUL', vector: 'AQID' }], 4000)
    await store.knowledge.put({ ...text, content, chunks: 1, updatedAt: 4000 })
  }
  await kept.change(counted, { runSeq: 1, node: 'keep-1', change: 'first' })
  await kept.change({
    kind: 'set',
    context: '/',
    key: 'B',
    value: '{"x":"Ünïcode"}',
    expiresAt: null,
    at: 4000
  })
  await triggers.setMark('flow-a', 'schedule-1', 1_700_000_000_000)
  await triggers.keepSeen('flow-b', 'watch-1', { mark: 1_000, seen: '{"of":"ä"}' }, 0, ['{"id":"ö"}'])
  await triggers.setFault('flow-b', 'mail-1', { message: 'The broker is äway', at: 4000 })
  await flows.create(sampleFlow({ id: 'gone', slug: 'gone' }))
  await flows.remove('gone', 3000, 'Ann')
  await contexts.put([
    { id: '/', path: '/', variables: '{"x":0}', settings: '{}', createdAt: 0 },
    { id: 'c1', path: '/a', variables: '{"x":1}', settings: '{}', createdAt: 1 },
    { id: 'c2', path: '/a/b', variables: '{}', settings: '{"timeout":5}', createdAt: 2 }
  ])
  await keys.put(sampleKey({ id: 'k1', expiresAt: 5000 }))
  await files.add(sampleFile({ id: 'uploaded', uploadedBy: 'k1' }), 4000)
  await keys.put(sampleKey({ id: 'k2', flowId: 'flow-a', context: null }))
  await keys.touch(new Map([['k1', 4000]]))
  await connections.create(sampleConnection({ id: 'n1', context: '/a' }))
  await connections.replace(sampleConnection({ id: 'n1', context: '/a', revision: 2, isTrusted: true }))
  await tokens.write({ connectionId: 'n1', tokens: 'sealed', holder: 'p1', leasedUntil: 5000, revision: 1 })
  await documents.put(sampleDocument({ connectionId: 'n1' }), { index: ['[]', 'ö'], parts: ['[{}]'] })
  await signIns.secret('the secret of sessions')
  await signIns.put({ hash: 'cd'.repeat(32), keyId: 'k1', expiresAt: 9_000_000_000_000 }, 0)
  await signIns.endSession({ id: 'ended', expiresAt: 9_000_000_000_000 }, 0)
}
