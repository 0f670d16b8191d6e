import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { webhook } from '../../../../../src/components/webhook/webhook.ts'
import type { Field } from '../../../../../src/flows/component/component.ts'
import { applyCommand } from '../../../editor/commands/apply-command.ts'
import { flowOf, node } from '../../../editor/graph/flow.test-kit.ts'
import { setShared, sharedFields } from './shared-values.ts'

const FIELDS: Readonly<Record<string, Field>> = {
  method: { kind: 'choice', title: 'Method', choices: ['GET', 'POST'], default: 'GET' },
  url: { kind: 'text', title: 'URL' },
  key: { kind: 'secret', title: 'Key' },
  body: { kind: 'template', title: 'Body' }
}
const one = node('call-1', { fields: { url: 'a' } })
const other = node('call-2', { fields: { url: 'b', method: 'GET' } })
const found = (...nodes: Parameters<typeof sharedFields>[0]) =>
  sharedFields(nodes, () => FIELDS).map(({ name, value }) => [name, value])

describe('the fields of several nodes', () => {
  it('are those of one type that are set alike, with the value that all have', () => {
    assert.deepEqual(found(one, other), [
      ['method', 'GET'],
      ['url', undefined]
    ])
  })

  it('are none where the nodes are of several types', () => {
    assert.deepEqual(found(one, node('parser-1')), [])
    assert.deepEqual(found(), [])
  })

  it('of Webhooks are their limits too, and not what the page writes for each', () => {
    const hooks = [node('webhook-1', { type: 'webhook' }), node('webhook-2', { type: 'webhook' })]
    const names = sharedFields(hooks, () => webhook.fields).map(({ name }) => name)
    assert.deepEqual(
      ['rate_limit', 'concurrency', 'curl', 'endpoint'].filter((name) => names.includes(name)),
      ['rate_limit', 'concurrency']
    )
  })

  it('are set at all of them at once', () => {
    const flow = applyCommand(flowOf([one, other]), setShared([one, other], 'url', 'c'))
    assert.deepEqual(
      flow.nodes.map(({ fields }) => fields.url),
      ['c', 'c']
    )
  })
})
