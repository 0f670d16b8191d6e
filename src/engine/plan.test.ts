import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Catalogue } from '../flows/component/catalogue.ts'
import type { AnyComponent } from '../flows/component/component.ts'
import type { FlowDocument, FlowNode } from '../flows/document/flow-document.ts'
import { plan, stubCatalogue } from './plan.test-kit.ts'
import { PlanError, planFlow } from './plan.ts'
import { randomPlan } from './random-plan.test-kit.ts'

function planOne(component: Partial<AnyComponent>, node: Partial<FlowNode> = {}) {
  const whole: AnyComponent = { type: 'c', title: 'C', run: () => ({}), ...component }
  const catalogue: Catalogue = { ...stubCatalogue, find: (_, type) => (type === 'c' ? whole : undefined) }
  const document: FlowDocument = {
    name: 'Test',
    slug: 'test',
    context: '/sales',
    nodes: [{ id: 'c-1', type: 'c', position: { x: 0, y: 0 }, fields: {}, ...node }],
    edges: []
  }
  return planFlow({ id: 'flow-1', version: 4, document }, catalogue)
}

describe('planFlow', () => {
  it('carries what runs of the version share', () => {
    const { flowId, version, context, nodes } = planOne({})
    assert.deepEqual([flowId, version, context, nodes.length], ['flow-1', 4, '/sales', 1])
  })

  //  A ┬ B ┬ D
  //    └ C ┘
  it('numbers nodes so that every wire points forward, and knows both ends', () => {
    const { nodes } = plan('D; C; B -> D; A -> B; A -> C -> D')
    const named = nodes.map(({ id, sources, dependents }) => [
      id,
      sources.map((index) => nodes[index]!.id).sort(),
      dependents.map((index) => nodes[index]!.id).sort()
    ])
    assert.deepEqual(named, [
      ['A', [], ['B', 'C']],
      ['B', ['A'], ['D']],
      ['C', ['A'], ['D']],
      ['D', ['B', 'C'], []]
    ])
  })

  it('lists a node once as source and dependent, however many wires there are', () => {
    const document: FlowDocument = {
      name: 'Test',
      slug: 'test',
      context: '/',
      nodes: ['A', 'B'].map((id) => ({ id, type: 'pure', position: { x: 0, y: 0 }, fields: {} })),
      edges: [
        { from: 'A.x', to: 'B.left' },
        { from: 'A.y', to: 'B.right' }
      ]
    }
    const [a, b] = planFlow({ id: 'f', version: 1, document }, stubCatalogue).nodes
    assert.deepEqual([a!.dependents, b!.sources], [[1], [0]])
    assert.deepEqual(b!.inputs, [
      { port: 'left', isFurther: false, from: 0, fromPort: 'x' },
      { port: 'right', isFurther: false, from: 0, fromPort: 'y' }
    ])
  })

  it('takes a component that does not say so for one that reaches outside', () => {
    assert.equal(planOne({}).nodes[0]!.effects, 'external')
    assert.equal(planOne({ effects: 'pure' }).nodes[0]!.effects, 'pure')
  })

  it('starts runs at triggers that no wire leads to', () => {
    const { starts, nodes } = plan('W(webhook) -> C(chat)')
    assert.deepEqual([...starts.of.keys()], ['webhook', 'api', 'run-flow'])
    const ready = starts.of.get('webhook')!.ready.map((index) => nodes[index]!.id)
    assert.deepEqual(ready, ['W'])
  })

  it('prepares no node that no run takes, and misses no component of one', () => {
    const prepare = () => assert.fail('no such model')
    const webhook: AnyComponent = { type: 'w', title: 'W', trigger: 'webhook', run: () => ({}) }
    const broken: AnyComponent = { type: 'b', title: 'B', prepare, run: () => ({}) }
    const catalogue: Catalogue = {
      ...stubCatalogue,
      find: (_, type) => [webhook, broken].find((component) => component.type === type)
    }
    const nodes = ['w', 'b', 'gone'].map((type) => ({ id: type, type, position: { x: 0, y: 0 }, fields: {} }))
    const document: FlowDocument = { name: 'Test', slug: 'test', context: '/', nodes, edges: [] }
    const { starts } = planFlow({ id: 'f', version: 1, document }, catalogue)
    assert.deepEqual(starts.of.get('webhook')!.statuses, ['queued', 'skipped', 'skipped'])
  })

  it('fills in the fields and prepares the component with them, once', () => {
    let prepared = 0
    const fields = { text: { kind: 'text', title: 'Text', default: 'hi' } } as const
    const [node] = planOne({ fields, prepare: ({ text }) => `${text} ${++prepared}` }).nodes
    assert.deepEqual([node!.fields, node!.prepared], [{ text: 'hi' }, 'hi 1'])
  })

  it('tries once unless the component or, over it, the node says otherwise', () => {
    const retryOf = (component: Partial<AnyComponent>, node: Partial<FlowNode> = {}) =>
      planOne(component, node).nodes[0]!.retry
    assert.deepEqual(retryOf({}), { attempts: 1, backoffMs: 1_000, maxBackoffMs: 60_000 })
    const component = { retry: { attempts: 5, backoffMs: 10 } }
    assert.deepEqual(retryOf(component), { attempts: 5, backoffMs: 10, maxBackoffMs: 60_000 })
    assert.deepEqual(retryOf(component, { retry: { attempts: 2, max_backoff_ms: 50 } }), {
      attempts: 2,
      backoffMs: 10,
      maxBackoffMs: 50
    })
  })

  it('takes the time limit of the node over that of the component', () => {
    assert.equal(planOne({ timeoutMs: 5 }).nodes[0]!.timeoutMs, 5)
    assert.equal(planOne({ timeoutMs: 5 }, { timeout_ms: 9 }).nodes[0]!.timeoutMs, 9)
  })

  it('gives two minutes to a component that reaches outside and does not say how long it may take', () => {
    assert.equal(planOne({}).nodes[0]!.timeoutMs, 120_000)
    assert.equal(planOne({}, { timeout_ms: 86_400_000 }).nodes[0]!.timeoutMs, 86_400_000)
    assert.equal(planOne({ effects: 'pure' }).nodes[0]!.timeoutMs, undefined)
  })

  it('names the node whose component has gone', () => {
    assert.throws(
      () => planOne({}, { type: 'gone' }),
      (error) => error instanceof PlanError && error.node === 'c-1' && error.code === 'unknown_type'
    )
  })

  it('names the node whose component cannot be prepared', () => {
    const prepare = () => assert.fail('no such model')
    assert.throws(
      () => planOne({ prepare }),
      (error) => error instanceof PlanError && error.node === 'c-1' && error.message === 'no such model'
    )
  })

  it('points every wire of every graph forward', () => {
    fc.assert(
      fc.property(randomPlan(20), ({ plan }) => {
        for (const { index, sources, dependents } of plan.nodes) {
          assert.ok(sources.every((source) => source < index))
          assert.ok(dependents.every((dependent) => dependent > index))
        }
      })
    )
  })
})
