import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problemOf, type RunBody } from './support/api-client.ts'
import { type Service, startService } from './support/service.ts'

type Returned = RunBody & { readonly output: unknown }

/** Webhook → If-Else → two Parsers → Merge → Return; large orders are marked, small ones greeted. */
const DECIDES = {
  name: 'Decides',
  nodes: [
    { id: 'webhook-1', type: 'webhook' },
    { id: 'large', type: 'if-else', fields: { left: '{total}', operator: 'is at least', right: '100' } },
    { id: 'mark', type: 'parser', fields: { template: 'Large: {total}' } },
    { id: 'greet', type: 'parser', fields: { template: 'Thanks for {total}' } },
    { id: 'both', type: 'merge', fields: { mode: 'List' } },
    { id: 'answer', type: 'return' }
  ],
  edges: [
    { from: 'webhook-1.data', to: 'large.data' },
    { from: 'large.true', to: 'mark.data' },
    { from: 'large.false', to: 'greet.data' },
    { from: 'mark.parsed_text', to: 'both.in_1' },
    { from: 'greet.parsed_text', to: 'both.in_2' },
    { from: 'both.data', to: 'answer.data' }
  ]
}

async function run(service: Service, slug: string, input: unknown): Promise<Returned> {
  const answer = await service.post(`/api/v1/run/${slug}`, { input })
  assert.equal(answer.status, 200, answer.text)
  return answer.json<Returned>()
}

const statuses = ({ steps }: RunBody) => Object.fromEntries(steps.map(({ node, status }) => [node, status]))

describe('a flow that decides', () => {
  it('takes one way, skips the other, and gives back what came of it', async (t) => {
    const service = await startService(t)
    const { slug } = await service.createFlow(DECIDES)
    const large = await run(service, slug, { total: 120 })
    assert.deepEqual([large.output, statuses(large).greet], [['Large: 120'], 'skipped'])
    const small = await run(service, slug, { total: 5 })
    assert.deepEqual([small.output, statuses(small).mark], [['Thanks for 5'], 'skipped'])
    const odd = await run(service, slug, { total: 'many' })
    assert.deepEqual([odd.status, odd.output, odd.error?.code], ['failed', null, 'not_comparable'])
  })

  it('leaves a Switch by the output of its case, and stops with a code of its own', async (t) => {
    const service = await startService(t)
    const cases = ['Very late', '404', 'Default']
    const { slug } = await service.createFlow({
      name: 'Switches',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'by', type: 'switch', fields: { value: '{status}', cases } },
        { id: 'late', type: 'stop', fields: { message: '{status}!', code: 'too_late' } },
        { id: 'answer', type: 'return' }
      ],
      edges: [
        { from: 'webhook-1.data', to: 'by.data' },
        { from: 'by.very-late', to: 'late.data' },
        { from: 'by.404', to: 'answer.data' },
        { from: 'by.default_2', to: 'answer.data' }
      ]
    })
    const late = await run(service, slug, { status: 'Very late' })
    assert.deepEqual([late.error?.code, late.error?.message.includes('Very late!')], ['too_late', true])
    assert.deepEqual((await run(service, slug, { status: 404 })).output, { status: 404 })
    assert.deepEqual((await run(service, slug, { status: 'Default' })).output, { status: 'Default' })
    assert.equal(statuses(await run(service, slug, { status: 'other' })).answer, 'skipped')
  })

  it('is judged by the ports that follow from its fields', async (t) => {
    const service = await startService(t)
    const flow = (edge: object, fields: object) => ({
      name: 'Wrong',
      nodes: [
        { id: 'webhook-1', type: 'webhook' },
        { id: 'by', type: 'switch', fields: { value: '{a}', ...fields } },
        { id: 'both', type: 'merge', fields: { inputs: 2 } }
      ],
      edges: [{ from: 'webhook-1.data', to: 'by.data' }, edge]
    })
    const codes = async (edge: object, fields: object = { cases: ['a'] }) => {
      const answer = await service.post('/api/v1/flows', flow(edge, fields))
      return problemOf(answer, 422, 'flow_invalid').errors?.map(({ code, field }) => field ?? code)
    }
    assert.deepEqual(await codes({ from: 'by.b', to: 'both.in_1' }), ['edge_to_nowhere'])
    assert.deepEqual(await codes({ from: 'by.a', to: 'both.in_3' }), ['edge_to_nowhere'])
    assert.deepEqual(await codes({ from: 'by.a', to: 'both.in_1' }, { cases: 'a' }), ['cases'])
    assert.deepEqual(await codes({ from: 'by.a', to: 'both.in_1' }, { cases: [1] }), ['cases'])
  })
})
