import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInCatalogue } from '../contexts/catalogue.test-kit.ts'
import { EXAMPLE_FLOW } from '../flows/document/example-flow.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { callerChanges } from './caller-changes.ts'
import { NO_DEFAULTS } from './entry-defaults.test-kit.ts'

const around = { catalogue: builtInCatalogue(), defaults: NO_DEFAULTS }

function withWebhook(fields: Readonly<Record<string, unknown>>): FlowDocument {
  const nodes = EXAMPLE_FLOW.nodes.map((node) => (node.type === 'webhook' ? { ...node, fields } : node))
  return { ...EXAMPLE_FLOW, nodes }
}

const without = (type: string): FlowDocument => ({
  ...EXAMPLE_FLOW,
  nodes: EXAMPLE_FLOW.nodes.filter((node) => node.type !== type),
  edges: []
})

const open = withWebhook({ auth: 'None' })
const signed = (secret: string, more: object = {}) =>
  withWebhook({ auth: 'Signature', signing_secret: secret, ...more })

const token = (token_header: string, more: object = {}) =>
  withWebhook({ auth: 'Token', signing_secret: 'a'.repeat(32), token_header, ...more })

describe('what a publish does to callers', () => {
  for (const [what, before, after, expected] of [
    ['nothing where only steps change', open, { ...open, name: 'Other', description: 'x' }, []],
    ['the address', open, { ...open, slug: 'moved' }, [['address', /webhook\/orders to .*webhook\/moved/]]],
    [
      'other methods',
      open,
      withWebhook({ auth: 'None', methods: ['POST', 'GET'] }),
      [['methods', /takes GET, POST; before, POST/]]
    ],
    ['no guard any more', withWebhook({}), open, [['guard', /nothing.*Anybody.*API key/]]],
    ['another guard', open, signed('a'.repeat(32)), [['guard', /signature.*None/]]],
    ['another secret', signed('a'.repeat(32)), signed('b'.repeat(32)), [['guard', /another secret/]]],
    [
      'another header of the token',
      token('x-gitlab-token'),
      token('x-other'),
      [['guard', /prove themselves in another way/]]
    ],
    ['a token', open, token('x-gitlab-token'), [['guard', /for a token.*None/]]],
    [
      'nothing where only fields change that mean nothing',
      token('x-gitlab-token'),
      token('x-gitlab-token', { signature_scheme: 'GitHub', basic_user: 'u' }),
      []
    ],
    [
      'a schema and what names deliveries',
      open,
      withWebhook({ auth: 'None', schema: { type: 'object' }, deduplicate_by: '{id}' }),
      [
        ['payload', /schema/],
        ['payload', /deliveries/]
      ]
    ],
    [
      'a limit',
      open,
      withWebhook({ auth: 'None', rate_limit: 5 }),
      [['limits', /5 requests per minute; before, no limit/]]
    ],
    ['no webhook any more', open, without('webhook'), [['webhook_removed', /webhook\/orders/]]],
    ['a webhook', without('webhook'), open, [['webhook_added', /webhook\/orders.*nothing/]]],
    [
      'another context',
      open,
      { ...open, context: '/sales' },
      [['context', /from the context \/ to \/sales/]]
    ],
    [
      'chat turns',
      open,
      {
        ...open,
        nodes: [...open.nodes, { id: 'c', type: 'chat-input', position: { x: 0, y: 0 }, fields: {} }]
      },
      [['chat_added', /chat turns/]]
    ]
  ] as [string, FlowDocument, FlowDocument, [string, RegExp][]][]) {
    it(`is ${what}`, () => {
      const changes = callerChanges(before, after, around)
      assert.deepEqual(
        changes.map(({ code }) => code),
        expected.map(([code]) => code)
      )
      for (const [index, [, message]] of expected.entries()) assert.match(changes[index]!.message, message)
    })
  }

  it('names no secret', () => {
    const changes = callerChanges(signed('first secret of them all'), signed('second secret of all'), around)
    assert.ok(!JSON.stringify(changes).includes('secret of'))
  })
})
