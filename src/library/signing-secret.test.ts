import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import { builtInCatalogue } from '../contexts/catalogue.test-kit.ts'
import type { MillraceError } from '../errors.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import { FlowLibrary } from './flow-library.ts'
import { MemoryFlowStore } from './flow-store.test-kit.ts'

const LONG = 'sixteen-or-more!'

function libraryWith(around: { auth?: string; variables?: Record<string, JsonValue> } = {}) {
  const clock = manualClock()
  return new FlowLibrary({
    store: new MemoryFlowStore(),
    catalogue: builtInCatalogue(),
    defaults: {
      of: (_context, name) => (name === 'default_auth' ? around.auth : undefined),
      variables: () => around.variables ?? {},
      signingSecret: () => undefined,
      revision: () => 0
    },
    isMade: () => false,
    newId: clock.newId,
    now: clock.now
  })
}

function documentWith(fields: Record<string, unknown>, slug = 'signed') {
  return { name: 'Signed', slug, nodes: [{ id: 'webhook-1', type: 'webhook', fields }] }
}

describe('a flow that asks for signatures', () => {
  const signed = { auth: 'Signature', signature_scheme: 'GitHub' }

  it('is saved with a secret of 16 characters or more, and with no other', async () => {
    const library = libraryWith({ variables: { long: LONG, short: 'short' } })
    const good = [LONG, `whsec_${LONG}`, '{$long}', '{$short}--and--{$short}']
    for (const [n, signing_secret] of good.entries()) {
      assert.ok(await library.create(documentWith({ ...signed, signing_secret }, `good-${n}`)))
    }
    const weak: [secret: string, what: RegExp][] = [
      ['', /there is none, or its variable is not set/],
      ['{$absent}', /there is none, or its variable is not set/],
      ['fifteen-letters', /it has 15\./],
      ['whsec_fifteen-letters', /it has 15\./],
      ['{$short}', /it has 5\./]
    ]
    for (const [signing_secret, what] of weak) {
      await assert.rejects(
        library.create(documentWith({ ...signed, signing_secret })),
        (error: MillraceError) => {
          const [fault, ...more] = error.extras.errors!
          assert.deepEqual([error.code, more], ['flow_invalid', []])
          assert.deepEqual(
            [fault!.code, fault!.path, fault!.node, fault!.field],
            ['weak_secret', '/nodes/0/fields/signing_secret', 'webhook-1', 'signing_secret']
          )
          assert.match(fault!.message, what)
          return true
        }
      )
    }
    const [live] = library.list()
    const weaker = documentWith({ ...signed, signing_secret: 'short' }, live!.slug)
    await assert.rejects(library.save(live!.id, 1, weaker), /16 characters or more/)
  })

  it('because its context does may come without a secret, but not with a weak one', async () => {
    const library = libraryWith({ auth: 'Signature' })
    assert.equal((await library.create(documentWith({}))).webhook?.auth, 'Signature')
    await assert.rejects(library.create(documentWith({ signing_secret: 'short' }, 'other')), /it has 5\./)
    assert.ok(await library.create(documentWith({ auth: 'None', signing_secret: 'short' }, 'open')))
  })

  it('goes on as it is where it was live before, and comes back when it was deleted', async () => {
    const around: { auth?: string } = {}
    const library = libraryWith(around)
    const { id } = await library.create(documentWith({ signing_secret: 'short' }))
    around.auth = 'Signature'
    assert.equal(library.get('signed').document.nodes.length, 1)
    await library.remove(id)
    assert.equal((await library.undelete(id)).webhook?.auth, 'Signature')
    await assert.rejects(library.restore(id, 1), /it has 5\./)
  })
})
