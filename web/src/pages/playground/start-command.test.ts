import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowDocument } from '../../api/shapes.ts'
import { PageCatalogue } from '../../editor/wiring/page-catalogue.ts'
import { startCommand } from './start-command.ts'

function flow(fields: Record<string, unknown>, type = 'webhook'): FlowDocument {
  const nodes = [{ id: 'w', type, position: { x: 0, y: 0 }, fields }]
  return { name: 'Orders', slug: 'orders', context: '/', nodes, edges: [] }
}

const around = (contextAuth?: string) => ({
  address: 'http://127.0.0.1:7860/',
  contextAuth,
  catalogue: new PageCatalogue([])
})

describe('the command that starts a flow', () => {
  it('asks for a key where nothing else is said', () => {
    const { command, auth } = startCommand(flow({}), around())!
    assert.equal(auth, 'API key')
    assert.match(command, /^curl .*http:\/\/127\.0\.0\.1:7860\/api\/v1\/webhook\/orders/)
    assert.match(command, /x-api-key: \$\{?MILLRACE_API_KEY/)
  })

  it('follows the Webhook, and else its context', () => {
    assert.equal(startCommand(flow({ auth: 'None' }), around('Signature'))!.auth, 'None')
    assert.equal(startCommand(flow({}), around('Signature'))!.auth, 'Signature')
    assert.doesNotMatch(startCommand(flow({ auth: 'None' }), around())!.command, /x-api-key/)
  })

  it('is what somebody wrote, where somebody did', () => {
    assert.equal(startCommand(flow({ curl: 'curl mine' }), around())!.command, 'curl mine')
    assert.match(startCommand(flow({ curl: ' ' }), around())!.command, /webhook\/orders/)
  })

  it('is none without a Webhook', () => {
    assert.equal(startCommand(flow({}, 'parser'), around()), undefined)
  })
})
