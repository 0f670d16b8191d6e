import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { draftOf } from './support/imported.ts'
import { serviceOfFile } from './support/service.ts'

const shared = serviceOfFile()

const node = (id: string, type: string, wires: readonly (readonly string[])[], more: object = {}) => ({
  ...{ id, type, z: 'tab', name: id, x: 0, y: 0, wires },
  ...more
})
const join = (id: string) =>
  node(id, 'join', [[]], {
    mode: 'custom',
    build: 'array',
    property: 'payload',
    propertyType: 'msg',
    count: ''
  })

describe('messages of Node-RED that a Switch parts', () => {
  it('come to the Join of their way alone', async (t) => {
    const service = await shared(t)
    const rules = [{ t: 'gt', v: '2', vt: 'num' }, { t: 'else' }]
    const file = [
      { id: 'tab', type: 'tab', label: 'Ways' },
      node('in', 'http in', [['split']], { url: '/ways', method: 'post' }),
      node('split', 'split', [['way']], { splt: '\\n', spltType: 'str', arraySplt: 1, arraySpltType: 'len' }),
      node('way', 'switch', [['great'], ['small']], {
        ...{ property: 'payload', propertyType: 'msg', checkall: 'false', outputs: 2 },
        rules
      }),
      join('great'),
      join('small')
    ]
    const { report } = await draftOf(service, file)
    const body = { input: [1, 2, 3, 4] }
    const test = await service.request('POST', `/api/v1/flows/${report.id}/test`, { body })
    const { steps } = test.json<{
      steps: { node: string; outputs: { result: { payload: unknown } } | null }[]
    }>()
    const joined = (id: string) => steps.find((step) => step.node === id)?.outputs?.result.payload
    assert.deepEqual(
      [joined('great'), joined('small')],
      [
        [3, 4],
        [1, 2]
      ]
    )
  })
})

describe('an HTTP response of Node-RED behind several messages', () => {
  it('answers the caller with the first of them', async (t) => {
    const service = await shared(t)
    const split = { splt: '\\n', spltType: 'str', arraySplt: 1, arraySpltType: 'len' }
    const file = [
      { id: 'tab', type: 'tab', label: 'Answers' },
      node('in', 'http in', [['split']], { url: '/answers', method: 'post' }),
      node('split', 'split', [['each']], split),
      node('each', 'function', [['out']], {
        func: 'msg.payload = { n: msg.payload }; return msg',
        outputs: 1
      }),
      node('out', 'http response', [], { statusCode: '201' })
    ]
    const slug = (await draftOf(service, file)).report
    const published = await service.request('POST', `/api/v1/flows/${slug.id}/publish`, { body: {} })
    assert.equal(published.status, 200, published.text)
    const answer = await service.request('POST', `/api/v1/webhook/${slug.slug}`, { body: [7, 8] })
    assert.deepEqual([answer.status, answer.text], [201, '{"n":7}'])
    assert.match(slug.nodes.find(({ was }) => was === 'http response')!.note, /the first message/)
  })
})
