import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import type { LiveFlow } from '../library/live-flow.ts'
import type { FlowChange } from '../library/live-flows.ts'
import { SoleOwnership } from './ownership.ts'
import { Triggers, type TriggersDeps } from './triggers.ts'

const FLOW = {
  id: 'flow-1',
  slug: 'nightly',
  version: 1,
  paused: null,
  document: { nodes: [{ id: 'schedule-1', type: 'schedule', fields: {} }], edges: [] }
} as unknown as LiveFlow
const REFUSING = { ...FLOW, paused: { mode: 'refuse' } } as LiveFlow

/** Triggers whose only source notes from where each of them counts. */
async function follow(...flows: LiveFlow[]) {
  const begun: string[] = []
  let tell: (change: FlowChange) => void = () => {}
  const source = {
    takes: () => true,
    begin: (_: unknown, from: string) => begun.push(from),
    end: async () => {}
  }
  const triggers = new Triggers({
    library: {
      list: () => flows,
      subscribe: (listener: typeof tell) => {
        tell = listener
        return () => {}
      }
    },
    catalogue: { find: () => ({ trigger: 'schedule', startedBy: 'service', fields: {} }) },
    store: { list: async () => [] },
    ownership: new SoleOwnership(),
    sources: [source],
    faults: { recall() {}, keep() {}, settled: async () => {} },
    clock: manualClock(),
    onError: assert.ifError
  } as unknown as TriggersDeps)
  triggers.start()
  const settled = () => new Promise((resolve) => void setImmediate(resolve))
  await settled()
  const change = async (kind: FlowChange['kind'], flow: LiveFlow, before?: LiveFlow) => {
    tell({ kind, flow, before } as FlowChange)
    await settled()
  }
  return { begun, change }
}

describe('the only trigger', () => {
  it('goes on where it left off when the service starts', async () => {
    const { begun } = await follow(FLOW)
    assert.deepEqual(begun, ['where it left off'])
  })

  it('counts from now when its flow refused what arrived, also where the service was started meanwhile', async () => {
    const running = await follow(FLOW)
    await running.change('saved', REFUSING, FLOW)
    await running.change('saved', FLOW, REFUSING)
    assert.deepEqual(running.begun, ['where it left off', 'now'])
    const started = await follow(REFUSING)
    await started.change('saved', FLOW, REFUSING)
    assert.deepEqual(started.begun, ['now'])
  })

  it('counts from now when its flow comes back from the bin', async () => {
    const { begun, change } = await follow(FLOW)
    await change('deleted', FLOW, FLOW)
    await change('saved', FLOW)
    assert.deepEqual(begun, ['where it left off', 'now'])
  })
})
