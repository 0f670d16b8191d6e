import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Context, share } from '../src/millrace.ts'
import type { RunBody } from './support/api-client.ts'
import { createHost } from './support/host.ts'
import { sharedPostgres } from './support/postgres.ts'
import { startRelay } from './support/tcp-relay.ts'

const postgres = sharedPostgres()

/** Puts out what was said in its session before. */
const recalling = share(async function recalls(context: Context) {
  context.component({
    type: 'recall',
    title: 'Recall',
    inputs: { data: { title: 'Data', type: 'any' } },
    outputs: { data: { title: 'Data', type: 'any' } },
    run: async ({ history }) => ({ data: await history(2) })
  })
})

/** Webhook → Keep → Run flow, without waiting → Run flow → Recall → Return. */
const FLOW = {
  name: 'Above',
  slug: 'above',
  nodes: [
    { id: 'w', type: 'webhook' },
    { id: 'keep', type: 'keep', fields: { operation: 'Increment', key: 'runs' } },
    { id: 'beside', type: 'run-flow', fields: { flow: 'below', wait: false } },
    { id: 'below', type: 'run-flow', fields: { flow: 'below' } },
    { id: 'recall', type: 'recall' },
    { id: 'r', type: 'return' }
  ],
  edges: [
    { from: 'w.data', to: 'keep.data' },
    { from: 'keep.data', to: 'beside.data' },
    { from: 'keep.data', to: 'below.data' },
    { from: 'below.data', to: 'recall.data' },
    { from: 'recall.data', to: 'r.data' }
  ]
}

const BELOW = {
  name: 'Below',
  slug: 'below',
  nodes: [
    { id: 'w', type: 'webhook' },
    { id: 'r', type: 'return' }
  ],
  edges: [{ from: 'w.data', to: 'r.data' }]
}

/** Whose answer is lost: that to the last of these, when they have come in this order. */
const LOST: Readonly<Record<string, readonly RegExp[]>> = {
  // First: afterwards this process knows that the queues of both flows are there.
  'the queue of a flow that is started for the first time': [/create_queue/, /create_queue/],
  'the value that Keep begins with': [/kept-standing/],
  'the value that Keep writes': [/(?:add|put)-kept/],
  'a run that is started beside, for good': [/known-indexes.*beside/s, /COMMIT/],
  'a run that is started and waited for': [/begin-siblings/, /COMMIT/],
  'runs that are taken up': [/take-jobs/],
  'what there is of runs that were taken up': [/load-claimed/],
  'the end of a run that is waited for': [/end-tied/, /COMMIT/],
  'what was said before': [/FROM millrace\.messages/]
}
/** Well before whoever took runs up would be held to be dead. */
const SOON_MS = 9_000

test('a run goes on where the answer of the database is lost, and does nothing twice', async (t) => {
  const url = new URL(await postgres.database())
  let left: RegExp[] = []
  const relay = await startRelay(t, Number(url.port), {
    fateOf: (piece) => {
      if (left[0]?.test(piece) !== true) return 'pass'
      left = left.slice(1)
      return left.length === 0 ? 'cut answer' : 'pass'
    }
  })
  url.port = String(relay.port)
  const database = { url: url.href, connections: 6 }
  const client = await (await createHost(t, { database, plugins: [recalling] })).listen()
  for (const flow of [BELOW, FLOW]) await client.createFlow(flow)
  let count = 0
  for (const [name, pieces] of Object.entries(LOST)) {
    await t.test(name, async () => {
      left = [...pieces]
      const startedAt = performance.now()
      const { id } = (await client.post('/api/v1/run/above', { input: 1 })).json<RunBody>()
      const run = (await client.waitForRun(id)) as RunBody & { output: unknown }
      assert.deepEqual(left, [], 'an answer was lost')
      assert.deepEqual([run.status, run.error, run.output], ['succeeded', null, []])
      assert.deepEqual(run.steps.find(({ node }) => node === 'keep')!.outputs, { data: ++count })
      assert.ok(performance.now() - startedAt < SOON_MS, 'it waited for nobody to be held to be dead')
    })
  }
})
