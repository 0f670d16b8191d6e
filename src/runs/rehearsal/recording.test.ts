import assert from 'node:assert/strict'
import { it } from 'node:test'
import { plan } from '../../engine/plan.test-kit.ts'
import type { StoredRun } from '../../store/store.ts'
import { recordRun } from './recording.ts'

const ITEMS = 1_000
const EACH = 10_000

const runOf = (id: string): StoredRun => ({
  ...{ seq: 1, id, flowId: 'flow-1', flowVersion: 1, trigger: 'webhook', session: 'default', createdAt: 0 },
  ...{ request: null, context: '/', replayOf: null, journal: [] },
  input: Buffer.from(JSON.stringify('x'.repeat(EACH))),
  outcome: { no: 1, status: 'succeeded', steps: '[]', error: null, finishedAt: 1 } as never
})

it('reads no more items of a run than a recording may hold', async () => {
  const [whole, item] = [plan('W(webhook) -> A'), plan('A')]
  let read = 0
  const store = {
    readPiece: async () => undefined,
    get: async (id: string) => {
      read++
      return runOf(id)
    },
    children: async (_: number, __: string, from: number, limit: number) =>
      Array.from({ length: Math.min(limit, ITEMS - from) }, (_, at) => ({
        id: `i${from + at}`,
        index: from + at
      }))
  }
  const planOf = () => ({ ...whole, regions: new Map([['A', item]]) })
  assert.equal(await recordRun(runOf('top'), { store: store as never, planOf }, 20 * EACH), undefined)
  assert.ok(read < 20, `${read} items were read`)
  const all = await recordRun(runOf('top'), { store: store as never, planOf }, 2 * ITEMS * EACH)
  assert.equal(all?.items.length, ITEMS)
})
