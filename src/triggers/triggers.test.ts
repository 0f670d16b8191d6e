import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import type { LiveFlow } from '../library/live-flow.ts'
import type { FlowChange } from '../library/live-flows.ts'
import { type Ownership, SoleOwnership } from './ownership.ts'
import type { TriggerNode } from './trigger-nodes.ts'
import { Triggers, type TriggersDeps } from './triggers.ts'

const FLOW = {
  id: 'flow-1',
  slug: 'nightly',
  version: 1,
  paused: null,
  document: { nodes: [{ id: 'schedule-1', type: 'schedule', fields: {} }], edges: [] }
} as unknown as LiveFlow
const bound = ({ triggersFrom }: LiveFlow) => (triggersFrom == null ? '' : `, not before ${triggersFrom}`)
const REFUSING = { ...FLOW, paused: { mode: 'refuse' } } as LiveFlow

/** Triggers whose only source notes from where each of them counts. */
function follow(...flows: LiveFlow[]) {
  return followAs(new SoleOwnership(), flows)
}

async function followAs(ownership: Ownership, flows: readonly LiveFlow[]) {
  const begun: string[] = []
  let tell: (change: FlowChange) => void = () => {}
  const source = {
    takes: () => true,
    begin: ({ flow }: TriggerNode, from: string) => begun.push(`${from}${bound(flow)}`),
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
    ownership,
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

  it('counts from when its flow came back from the bin', async () => {
    const { begun, change } = await follow(FLOW)
    await change('deleted', FLOW, FLOW)
    await change('saved', { ...FLOW, triggersFrom: 7 } as LiveFlow)
    assert.deepEqual(begun, ['where it left off', 'where it left off, not before 7'])
  })

  it('knows from when it counts, also where its flow went on while nobody had the triggers, or between two looks', async () => {
    let isMine = false
    let told = () => {}
    const ownership: Ownership = {
      get isMine() {
        return isMine
      },
      onChange: (listener) => {
        told = listener
      },
      want: () => {},
      release: async () => {}
    }
    const resumed = { ...FLOW, triggersFrom: 7 } as LiveFlow
    const { begun, change } = await followAs(ownership, [REFUSING])
    await change('saved', resumed, REFUSING)
    const again = { ...resumed, triggersFrom: 9 } as LiveFlow
    await change('saved', again, resumed)
    isMine = true
    told()
    await new Promise((resolve) => void setImmediate(resolve))
    assert.deepEqual(begun, ['where it left off, not before 9'])
  })
})
