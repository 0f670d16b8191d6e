import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInCatalogue } from '../contexts/catalogue.test-kit.ts'
import type { AnyComponent } from '../flows/component/component.ts'
import { NO_DEFAULTS } from './entry-defaults.test-kit.ts'
import { LiveFlow } from './live-flow.ts'
import type { EntryDefaults } from './webhook-entry.ts'

const relay: AnyComponent = {
  type: 'relay',
  title: 'Relay',
  trigger: 'webhook',
  inputs: { data: { title: 'Data', type: 'data' } },
  outputs: { data: { title: 'Data', type: 'data' } },
  run: () => ({})
}
const catalogue = builtInCatalogue(relay)

function flow(nodes: object[], edges: object[] = [], defaults = NO_DEFAULTS): LiveFlow {
  const complete = nodes.map((node) => ({ position: { x: 0, y: 0 }, fields: {}, ...node }))
  const document = JSON.stringify({ name: 'A', slug: 'a', context: '/', nodes: complete, edges })
  return new LiveFlow(
    {
      id: 'f',
      slug: 'a',
      context: '/',
      version: 1,
      document,
      createdAt: 1,
      updatedAt: 1,
      paused: null,
      triggersFrom: null,
      origin: null,
      aliases: []
    },
    catalogue,
    defaults
  )
}

/** What a Webhook says of its sender where its fields say nothing. */
const NO_SENDER = { hmac: null, tokenHeader: 'authorization', basicUser: '', handshake: 'None' }

describe('what a flow’s endpoint asks for', () => {
  it('is nothing where there is no Webhook', () => {
    assert.equal(flow([{ id: 'c', type: 'chat-input' }]).webhook, null)
  })

  it('is a key by default', () => {
    assert.partialDeepStrictEqual(flow([{ id: 'w', type: 'webhook' }]).webhook, {
      methods: ['POST'],
      corsOrigins: [],
      isPlain: true,
      auth: 'API key',
      signatureScheme: 'Standard Webhooks',
      ...NO_SENDER,
      signingSecrets: [],
      rateLimit: 0,
      concurrency: 0,
      deduplicateBy: null,
      hidden: null,
      answersWithin: null
    })
  })

  it('is what the Webhook node says', () => {
    const fields = {
      methods: ['PUT', 'GET'],
      cors_origins: ['*'],
      auth: 'Signature',
      signature_scheme: 'GitHub',
      signing_secret: 's',
      rate_limit: 60,
      concurrency: 2
    }
    assert.partialDeepStrictEqual(flow([{ id: 'w', type: 'webhook', fields }]).webhook, {
      methods: ['GET', 'PUT'],
      corsOrigins: ['*'],
      isPlain: false,
      auth: 'Signature',
      signatureScheme: 'GitHub',
      ...NO_SENDER,
      signingSecrets: ['s'],
      rateLimit: 60,
      concurrency: 2,
      deduplicateBy: null,
      hidden: null,
      answersWithin: null
    })
  })

  it('hides the headers by which its callers prove themselves, whatever they are called', () => {
    const hidden = (fields: Record<string, string>) => [
      ...(flow([{ id: 'w', type: 'webhook', fields }]).webhook!.hidden ?? [])
    ]
    assert.deepEqual(hidden({ auth: 'Token', token_header: 'X-Shop-Pass', hide: 'pin' }), [
      'pin',
      'x-shop-pass'
    ])
    assert.deepEqual(hidden({ auth: 'None', token_header: 'X-Shop-Pass' }), [])
  })

  it('is what its template gives for a delivery that comes again, with the variables of the context', () => {
    const by = (deduplicate_by: unknown) =>
      flow([{ id: 'w', type: 'webhook', fields: { deduplicate_by } }]).webhook!.deduplicateBy
    const { template, variables } = by('{id} {$region}')!
    assert.equal(template.render({ id: 7 }, { ...variables, region: 'eu' }), '7 eu')
    for (const none of ['', '{unsound', 7, null]) assert.equal(by(none), null)
  })

  it('hides what the node names, by commas or lines', () => {
    const hidden = (hide: string) => flow([{ id: 'w', type: 'webhook', fields: { hide } }]).webhook!.hidden
    assert.deepEqual(hidden(' X-Shop-Pin,pin ,\n, Other\n'), new Set(['x-shop-pin', 'pin', 'other']))
    for (const none of ['', ' ', ',\n']) assert.equal(hidden(none), null)
  })

  it('is what is safe where a plugin’s trigger does not say', () => {
    assert.equal(flow([{ id: 'r', type: 'relay' }]).webhook?.auth, 'API key')
  })

  it('is said by the node that starts the run, not by one that a wire leads to', () => {
    const nodes = [
      { id: 'r', type: 'relay' },
      { id: 'w', type: 'webhook', fields: { auth: 'None' } }
    ]
    assert.equal(flow(nodes, [{ from: 'w.data', to: 'r.data' }]).webhook?.auth, 'None')
    assert.equal(flow([{ id: 'r', type: 'relay' }], [{ from: 'x.data', to: 'r.data' }]).webhook, null)
  })
})

describe('what the context sets', () => {
  type Settings = Record<string, unknown>
  function defaults(settings: Settings): EntryDefaults & { change(next: Settings): void } {
    let now = settings
    let revision = 0
    return {
      of: (_context, name) => now[name],
      variables: () => (now.variables ?? {}) as Record<string, string>,
      signingSecret: (_context, name) => ((now.senders ?? {}) as Record<string, string>)[name],
      revision: () => revision,
      change: (next) => {
        now = next
        revision++
      }
    }
  }

  it('holds where the Webhook node says nothing', () => {
    const set = defaults({ default_auth: 'None', rate_limit: 5, concurrency: 2 })
    const { auth, rateLimit, concurrency } = flow([{ id: 'w', type: 'webhook' }], [], set).webhook!
    assert.deepEqual([auth, rateLimit, concurrency], ['None', 5, 2])
  })

  it('gives way to what the node says, even where that is the default', () => {
    const set = defaults({ default_auth: 'None', rate_limit: 5, concurrency: 2 })
    const fields = { auth: 'API key', rate_limit: 0 }
    const { auth, rateLimit, concurrency } = flow([{ id: 'w', type: 'webhook', fields }], [], set).webhook!
    assert.deepEqual([auth, rateLimit, concurrency], ['API key', 0, 2])
  })

  it('is asked for the context of the flow, and holds for the trigger of a plugin too', () => {
    const asked: string[] = []
    const of: EntryDefaults['of'] = (context, name) => {
      asked.push(`${context} ${name}`)
      return undefined
    }
    const { auth, rateLimit } = flow([{ id: 'r', type: 'relay' }], [], { ...NO_DEFAULTS, of }).webhook!
    assert.deepEqual([auth, rateLimit], ['API key', 0])
    assert.deepEqual(asked, ['/ default_auth', '/ rate_limit', '/ concurrency'])
  })

  it('takes effect as soon as it changes, and is not asked for again before', () => {
    const set = defaults({ rate_limit: 5 })
    const live = flow([{ id: 'w', type: 'webhook' }], [], set)
    const before = live.webhook
    assert.equal(live.webhook, before)
    set.change({ default_auth: 'Signature' })
    assert.deepEqual([live.webhook?.auth, live.webhook?.rateLimit], ['Signature', 0])
  })

  it('is also what the signing secret reads; without the variable there is no secret', () => {
    const set = defaults({ variables: { secret: 'c2VjcmV0' } })
    const secretIn = (signing_secret: string) =>
      flow([{ id: 'w', type: 'webhook', fields: { signing_secret } }], [], set).webhook!.signingSecrets
    assert.deepEqual(secretIn('whsec_{$secret}'), ['whsec_c2VjcmV0'])
    assert.deepEqual(secretIn('{$absent}'), [])
    assert.deepEqual(secretIn('plain, as it is'), ['plain, as it is'])
  })

  it('is also the sender that a connection names, which may have several secrets', () => {
    const [older, newer] = ['the-older-secret-of-it', 'the-newer-secret-of-it']
    const set = defaults({ senders: { shop: `${newer},\n${older}`, github: 'with a, comma' } })
    const secretsOf = (fields: Record<string, unknown>) =>
      flow([{ id: 'w', type: 'webhook', fields }], [], set).webhook!.signingSecrets
    assert.deepEqual(secretsOf({ connection: 'shop' }).slice(1), [newer, older])
    assert.deepEqual(secretsOf({ connection: 'github' }), ['with a, comma'])
    assert.deepEqual(secretsOf({ connection: 'shop', signing_secret: 'x' }).slice(1), [newer, older])
    assert.deepEqual(secretsOf({ connection: 'absent' }), [])
    const live = flow([{ id: 'w', type: 'webhook', fields: { connection: 'shop' } }], [], set)
    assert.equal(live.webhook!.signingSecrets, live.webhook!.signingSecrets, 'it is opened once')
    set.change({ senders: { shop: newer } })
    assert.deepEqual(live.webhook!.signingSecrets, [newer])
  })

  it('is safe where it is no kind of authentication', () => {
    const set = defaults({ default_auth: 'Anything' })
    assert.equal(flow([{ id: 'w', type: 'webhook' }], [], set).webhook?.auth, 'API key')
  })
})

describe('a Chat Input', () => {
  const nodes = [
    { id: 'w', type: 'webhook' },
    { id: 'c', type: 'chat-input' }
  ]

  it('can be talked to', () => {
    assert.equal(flow(nodes).hasChatInput, true)
    assert.equal(flow([{ id: 'w', type: 'webhook' }]).hasChatInput, false)
  })

  it('cannot be talked to where a wire leads to it: a chat turn would start nothing', () => {
    assert.equal(flow(nodes, [{ from: 'w.data', to: 'c.text' }]).hasChatInput, false)
  })
})
