import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { n8nWorkflow } from '../src/import/n8n/n8n.test-kit.ts'
import { imported, published, type RunBody, run } from './support/imported.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

describe('a workflow of n8n that runs', () => {
  it('computes what n8n computes, and takes one branch', async (t) => {
    const service = await shared(t)
    const flow = await published(
      service,
      n8nWorkflow(
        'Orders',
        [
          { name: 'Webhook', type: 'webhook', version: 2, parameters: { httpMethod: 'POST', path: 'x' } },
          {
            name: 'Edit Fields',
            type: 'set',
            version: 3.4,
            parameters: {
              assignments: {
                assignments: [
                  { name: 'customer', type: 'string', value: '={{ $json.body.name.toUpperCase() }}' },
                  {
                    name: 'total',
                    type: 'number',
                    value: '={{ $json.body.lines.map(l => l.price).reduce((a, b) => a + b, 0) }}'
                  }
                ]
              }
            }
          },
          {
            name: 'If',
            type: 'if',
            version: 2,
            parameters: {
              conditions: {
                combinator: 'and',
                conditions: [
                  {
                    leftValue: '={{ $json.total }}',
                    rightValue: 10,
                    operator: { type: 'number', operation: 'gt' }
                  }
                ]
              }
            }
          },
          {
            name: 'Large',
            type: 'set',
            version: 3.4,
            parameters: {
              includeOtherFields: true,
              assignments: {
                assignments: [
                  { name: 'size', type: 'string', value: "=large of {{ $('Webhook').item.json.body.name }}" }
                ]
              }
            }
          },
          {
            name: 'Small',
            type: 'set',
            version: 3.4,
            parameters: { assignments: { assignments: [{ name: 'size', type: 'string', value: 'small' }] } }
          }
        ],
        [
          ['Webhook', 'Edit Fields'],
          ['Edit Fields', 'If'],
          ['If', 'Large', 0],
          ['If', 'Small', 1]
        ]
      )
    )
    const { status, steps, error } = await run(service, flow, {
      name: 'Ann',
      lines: [{ price: 7 }, { price: 8 }]
    })
    assert.equal(status, 'succeeded', error?.message)
    const output = (node: string) => steps.find((step) => step.node === node)?.outputs
    assert.deepEqual(output('large'), { result: { customer: 'ANN', total: 15, size: 'large of Ann' } })
    assert.equal(steps.find(({ node }) => node === 'small')?.status, 'skipped')
  })

  it('brings what was pinned, and tests take it', async (t) => {
    const service = await shared(t)
    const file = {
      ...n8nWorkflow(
        'Pinned',
        [
          { name: 'Webhook', type: 'webhook', version: 2, parameters: { httpMethod: 'POST' } },
          { name: 'Get', type: 'httpRequest', version: 4.2, parameters: { url: 'https://a.example/one' } },
          {
            name: 'Edit',
            type: 'set',
            version: 3.4,
            parameters: {
              assignments: { assignments: [{ name: 'x', type: 'string', value: '={{ $json.name }}' }] }
            }
          }
        ],
        [
          ['Webhook', 'Get'],
          ['Get', 'Edit']
        ]
      ),
      pinData: { Get: [{ json: { name: 'Ann' } }] }
    }
    const [flow] = (await imported(service, file)).flows
    assert.equal(flow!.pinned, 2)
    const pins = (await service.get(`/api/v1/flows/${flow!.id}/pins`)).json<{ pins: { node: string }[] }>()
      .pins
    assert.deepEqual(pins.map(({ node }) => node).sort(), ['get', 'get-item'])
    const test = await service.request('POST', `/api/v1/flows/${flow!.id}/test`, {
      body: { input: {} },
      headers: { prefer: 'wait=10' }
    })
    const { status, steps, error } = test.json<RunBody>()
    assert.equal(status, 'succeeded', error?.message ?? test.text)
    assert.deepEqual(steps.find(({ node }) => node === 'edit')?.outputs, { result: { x: 'Ann' } })
  })

  it('runs what n8n runs once per item in a For each, and brings the items together', async (t) => {
    const service = await shared(t)
    const flow = await published(
      service,
      n8nWorkflow(
        'Lines',
        [
          { name: 'Webhook', type: 'webhook', version: 2, parameters: { httpMethod: 'POST' } },
          { name: 'Split Out', type: 'splitOut', parameters: { fieldToSplitOut: 'body.lines' } },
          {
            name: 'Sum',
            type: 'dateTime',
            version: 2,
            parameters: {
              operation: 'formatDate',
              date: '={{ $json.day }}',
              format: 'custom',
              customFormat: 'dd.MM.yyyy',
              outputFieldName: 'shown'
            }
          },
          {
            name: 'Aggregate',
            type: 'aggregate',
            parameters: {
              aggregate: 'aggregateIndividualFields',
              fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'shown' }] }
            }
          }
        ],
        [
          ['Webhook', 'Split Out'],
          ['Split Out', 'Sum'],
          ['Sum', 'Aggregate']
        ]
      )
    )
    const { status, steps, error } = await run(service, flow, {
      lines: [{ day: '2026-01-02' }, { day: '2026-03-04' }]
    })
    assert.equal(status, 'succeeded', error?.message)
    assert.deepEqual(steps.find(({ node }) => node === 'aggregate')?.outputs, {
      result: { shown: ['02.01.2026', '04.03.2026'] }
    })
  })
})
