import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { FlowBody } from './support/api-client.ts'
import { makeContext } from './support/contexts.ts'
import { anythingFlow } from './support/documents.ts'
import { type Service, startService } from './support/service.ts'

const OLDER = 'canary-older-0123456789'
const NEWER = 'canary-newer-0123456789'
const DRAFTED = 'canary-drafted-0123456789'
/** May be saved without a secret of its own. */
const SIGNED_BY_VARIABLE = { auth: 'None' }
const SIGNED = { auth: 'Signature', signature_scheme: 'GitHub' }

async function makeSender(service: Service, secret: string, more: object = {}): Promise<string> {
  const body = { name: 'github', kind: 'webhook', secrets: { signing_secret: secret }, ...more }
  const made = await service.post('/api/v1/connections', body)
  assert.equal(made.status, 201, made.text)
  return made.json<{ id: string }>().id
}

/** The status that a request signed with this secret is answered with. */
async function signedWith(service: Service, flow: string, secret: string): Promise<number> {
  const body = '{"order":7}'
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'x-hub-signature-256': `sha256=${signature}` }
  return (await service.webhook(flow, body, { key: null, headers })).status
}

async function fieldsOf(service: Service, path: string): Promise<Record<string, unknown>> {
  const answer = await service.get(path)
  assert.ok(!answer.text.includes('canary'), answer.text)
  return answer.json<FlowBody>().nodes[0]!.fields as Record<string, unknown>
}

function assertNoCanary(home: string): void {
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (entry.isFile()) assert.ok(!readFileSync(file).includes('canary'), file)
  }
}

interface Listed {
  readonly connections: readonly { readonly name: string; readonly kind: string }[]
}

async function namesOf(service: Service): Promise<string[]> {
  const { connections } = (await service.get('/api/v1/connections')).json<Listed>()
  return connections.map(({ name }) => name)
}

describe('a signing secret in a document', () => {
  it('goes into a connection when it is saved, and the flow goes on asking for it', async (t) => {
    const service = await startService(t)
    const document = anythingFlow({ ...SIGNED, signing_secret: OLDER })
    const flow = await service.createFlow(document)
    const name = `${flow.slug} webhook-1`
    const path = `/api/v1/flows/${flow.id}`
    assert.deepEqual(await fieldsOf(service, path), { ...SIGNED, connection: name })
    assert.equal(await signedWith(service, flow.slug, OLDER), 202)
    assert.equal(await signedWith(service, flow.slug, NEWER), 401)

    // Sent again, as from a repository: the same connection. With another secret: another one.
    await service.saveFlow(flow, { nodes: document.nodes })
    assert.deepEqual(await namesOf(service), [name])
    const { nodes } = anythingFlow({ ...SIGNED, signing_secret: NEWER })
    await service.saveFlow({ ...flow, version: 2 }, { nodes })
    assert.deepEqual(await fieldsOf(service, path), { ...SIGNED, connection: `${name} 2` })
    assert.equal(await signedWith(service, flow.slug, NEWER), 202)
    assert.equal(await signedWith(service, flow.slug, OLDER), 401)
    // A weak one is refused as ever, and nothing is kept of it.
    const weak = anythingFlow({ ...SIGNED, signing_secret: 'short' })
    assert.equal((await service.post('/api/v1/flows', weak)).status, 422)
    assert.equal((await namesOf(service)).length, 2)
    await service.stop()
    assertNoCanary(service.home)
  })

  it('goes into a connection when a draft is saved, whatever else is wrong with it', async (t) => {
    const service = await startService(t)
    const flow = await service.createFlow(anythingFlow(SIGNED_BY_VARIABLE))
    const path = `/api/v1/flows/${flow.id}/draft`
    const { nodes, edges } = anythingFlow({ ...SIGNED, signing_secret: DRAFTED })
    const save = async (revision: number, more: object = {}) => {
      const body = { ...flow, nodes, edges, revision, ...more }
      const answer = await service.request('PUT', path, { body })
      assert.equal(answer.status, 200, answer.text)
      assert.ok(!answer.text.includes('canary'), answer.text)
      return answer.json<FlowBody & { revision: number }>()
    }
    const { revision } = await save(0)
    const name = `draft of ${flow.id}`
    assert.deepEqual(await fieldsOf(service, path), { ...SIGNED, connection: name })
    // As a page does that has not read the answer yet: the same draft, and no second connection.
    assert.equal((await save(0)).revision, revision)
    const odd = await save(revision, { context: '/nowhere', slug: 7 })
    const unnamed = { nodes: nodes.map(({ id: _, ...node }) => node) }
    const after = await save(odd.revision, unnamed)
    const strange = nodes.map((node) => ({
      ...node,
      id: '?',
      fields: { ...node.fields, connection: 'absent' }
    }))
    const last = await save(after.revision, { nodes: strange, context: '/nowhere', slug: '?' })
    assert.deepEqual(await namesOf(service), [name])
    await save(last.revision)
    const tested = await service.post(`/api/v1/flows/${flow.id}/test`, { input: {} })
    assert.equal(tested.status, 200, tested.text)
    const published = await service.post(`/api/v1/flows/${flow.id}/publish`, {})
    assert.equal(published.status, 200, published.text)
    assert.equal(await signedWith(service, flow.slug, DRAFTED), 202)
    // What is live has a connection of its own: the next draft must not change it.
    assert.deepEqual(await namesOf(service), [`${flow.slug} webhook-1`])
    const undone = await service.post(`/api/v1/flows/${flow.id}/publish/undo`, {})
    assert.ok(!undone.text.includes('canary'), undone.text)
    await fieldsOf(service, path)
    await service.stop()
    assertNoCanary(service.home)
  })
})

describe('the signing secret of a draft', () => {
  async function drafted(t: TestContext, secret: string) {
    const service = await startService(t)
    const flow = await service.createFlow(anythingFlow(SIGNED_BY_VARIABLE))
    const path = `/api/v1/flows/${flow.id}/draft`
    const save = (revision: number, more: object) =>
      service.request('PUT', path, { body: { ...flow, revision, ...more } })
    const saved = async (revision: number, fields: object) => {
      const answer = await save(revision, anythingFlow({ ...SIGNED, ...fields }))
      assert.equal(answer.status, 200, answer.text)
      assert.ok(!answer.text.includes('canary'), answer.text)
      return answer.json<{ revision: number }>().revision
    }
    const revision = await saved(0, { signing_secret: secret })
    return { service, flow, path, name: `draft of ${flow.id}`, revision, save, saved }
  }

  it('is the last one that was saved, in one connection that goes with the draft', async (t) => {
    const { service, flow, path, name, revision, save, saved } = await drafted(t, 'canary-hal')
    const typed = await saved(revision, { signing_secret: OLDER })
    const last = await saved(typed, { signing_secret: NEWER, connection: name })
    assert.deepEqual(await namesOf(service), [name])
    // What is stale is refused, and takes nothing with it.
    const stale = await save(0, { ...anythingFlow({ ...SIGNED, signing_secret: OLDER }), name: 'Old' })
    assert.equal(stale.status, 409, stale.text)
    const published = await service.post(`/api/v1/flows/${flow.id}/publish`, { revision: last })
    assert.equal(published.status, 200, published.text)
    assert.equal(await signedWith(service, flow.slug, NEWER), 202)
    assert.equal(await signedWith(service, flow.slug, OLDER), 401)
    assert.deepEqual(await namesOf(service), [`${flow.slug} webhook-1`])
    // The next draft has its own, and what is live stays as it is until that is published.
    await saved(0, { signing_secret: DRAFTED })
    assert.equal(await signedWith(service, flow.slug, NEWER), 202)
    assert.deepEqual((await namesOf(service)).sort(), [name, `${flow.slug} webhook-1`].sort())
    assert.equal((await service.request('DELETE', path)).status, 204)
    assert.deepEqual(await namesOf(service), [`${flow.slug} webhook-1`])
    await service.stop()
    assertNoCanary(service.home)
  })

  it('goes when the draft names another sender, or is discarded by a save', async (t) => {
    const { service, flow, name, revision, saved } = await drafted(t, DRAFTED)
    await makeSender(service, OLDER)
    const next = await saved(revision, { connection: 'github' })
    assert.deepEqual(await namesOf(service), ['github'])
    await saved(next, { signing_secret: NEWER })
    assert.deepEqual((await namesOf(service)).sort(), [name, 'github'].sort())
    const body = { ...anythingFlow(SIGNED_BY_VARIABLE), version: 1 }
    const live = await service.request('PUT', `/api/v1/flows/${flow.id}?draft=discard`, { body })
    assert.equal(live.status, 200, live.text)
    assert.deepEqual(await namesOf(service), ['github'])
  })

  it('is one: several are refused before any is looked at, also in what is to be live', async (t) => {
    const { service, name, revision, save } = await drafted(t, DRAFTED)
    const nodes = Array.from({ length: 500 }, (_, at) => ({
      type: 'webhook',
      disabled: true,
      fields: { signing_secret: `canary-${at}-0123456789` }
    }))
    const refused = [
      await save(revision, { nodes, edges: [] }),
      await service.post('/api/v1/flows', {
        name: 'Many',
        nodes: nodes.map((node, at) => ({ id: `w${at}`, ...node }))
      })
    ]
    for (const answer of refused) {
      assert.equal(answer.status, 422, answer.text)
      assert.match(answer.text, /duplicate_trigger.*A flow has one Webhook/)
      assert.ok(!answer.text.includes('canary'), answer.text)
    }
    assert.deepEqual(await namesOf(service), [name])
    await service.stop()
    assertNoCanary(service.home)
  })
})

describe('a sender that signs', () => {
  it('is known by the secrets of its connection, several while it changes them', async (t) => {
    const service = await startService(t)
    const id = await makeSender(service, OLDER)
    const { slug } = await service.createFlow(anythingFlow({ ...SIGNED, connection: 'github' }))
    const statuses = async () => [
      await signedWith(service, slug, OLDER),
      await signedWith(service, slug, NEWER),
      await signedWith(service, slug, 'nobody-0123456789')
    ]
    assert.deepEqual(await statuses(), [202, 401, 401])
    const change = (signing_secret: string) =>
      service.request('PUT', `/api/v1/connections/${id}`, {
        body: { name: 'github', kind: 'webhook', secrets: { signing_secret } }
      })
    assert.equal((await change(`${NEWER}, ${OLDER}`)).status, 200)
    assert.deepEqual(await statuses(), [202, 202, 401])
    await change(NEWER)
    assert.deepEqual(await statuses(), [401, 202, 401])
    await service.request('DELETE', `/api/v1/connections/${id}`)
    assert.deepEqual(await statuses(), [401, 401, 401])
  })

  it('is the one that the context of the flow means', async (t) => {
    const service = await startService(t)
    await makeContext(service, '/eu', {})
    await makeSender(service, OLDER)
    await makeSender(service, NEWER, { context: '/eu' })
    const { slug } = await service.createFlow({
      ...anythingFlow({ ...SIGNED, connection: 'github' }),
      context: '/eu'
    })
    assert.equal(await signedWith(service, slug, NEWER), 202)
    assert.equal(await signedWith(service, slug, OLDER), 401)
  })

  it('with a secret that can be guessed lets no flow be saved', async (t) => {
    const service = await startService(t)
    await makeSender(service, 'short')
    const refused = await service.post('/api/v1/flows', anythingFlow({ ...SIGNED, connection: 'github' }))
    assert.equal(refused.status, 422)
    assert.match(refused.text, /weak_secret/)
  })
})
