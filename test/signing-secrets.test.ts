import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { makeContext } from './support/contexts.ts'
import { anythingFlow } from './support/documents.ts'
import { type Service, startService } from './support/service.ts'

const [OLDER, NEWER] = ['canary-older-0123456789', 'canary-newer-0123456789']
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
