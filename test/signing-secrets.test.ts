import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
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
  for (const file of readdirSync(home)) assert.ok(!readFileSync(join(home, file)).includes('canary'), file)
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
    const name = `${flow.slug} webhook-1`
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
    assert.deepEqual((await namesOf(service)).sort(), [`${flow.slug} webhook`, name, 'sender'])
    await save(last.revision)
    const tested = await service.post(`/api/v1/flows/${flow.id}/test`, { input: {} })
    assert.equal(tested.status, 200, tested.text)
    const published = await service.post(`/api/v1/flows/${flow.id}/publish`, {})
    assert.equal(published.status, 200, published.text)
    assert.equal(await signedWith(service, flow.slug, DRAFTED), 202)
    const undone = await service.post(`/api/v1/flows/${flow.id}/publish/undo`, {})
    assert.ok(!undone.text.includes('canary'), undone.text)
    await fieldsOf(service, path)
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
