import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { flowIn, startWith } from './support/contexts.ts'
import { requestHead, sendRaw } from './support/raw-http.ts'
import { allOperations } from './support/routes.ts'
import type { Service } from './support/service.ts'

const NONE = { auth: 'None' }

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

describe('the addresses at which contexts serve webhooks', () => {
  it('are in no answer and not in the description of the API', async (t) => {
    const service = await startWith(t, {
      'sales.ts':
        'export default async function sales (context) { context.register(async function eu () {}) }'
    })
    const flow = await service.createFlow(flowIn('/sales/eu', undefined, NONE))
    const shown = (await allOperations(service)).map(({ path }) => path)
    for (const path of shown) assert.doesNotMatch(path, UUID)
    assert.ok(shown.every((path) => !/^\/[^/]+\/\d+\//.test(path)))
    const answers = [
      await service.webhook(flow.slug),
      await service.webhook(flow.slug, Buffer.alloc(2 * 1024 * 1024)),
      await service.get(`/api/v1/webhook/${flow.slug}`),
      await service.get('/api/v1/contexts'),
      await service.get('/nowhere')
    ]
    for (const answer of answers) {
      const whole = `${answer.text}${JSON.stringify([...answer.headers])}`
      for (const [found] of whole.matchAll(new RegExp(UUID, 'g'))) {
        const around = whole.slice(whole.indexOf(found) - 1, whole.indexOf(found) + 40)
        assert.doesNotMatch(around, /\/\d+\//, whole)
      }
    }
  })

  it('serve nobody who comes to them directly, even knowing them', async (t) => {
    const service = await startWith(t, {
      'sales.ts': `export default async function sales (context) { ${TELLS_ROUTES} }`,
      'guarded.ts': `export default async function guarded (context) {
        context.addHook('onRequest', async (request, reply) => reply.code(401).send('guarded'))
      }`
    })
    const open = await service.createFlow(flowIn('/sales', undefined, NONE))
    const guarded = await service.createFlow(flowIn('/guarded', undefined, NONE))
    const addresses = await innerAddresses(service)
    assert.equal(
      addresses.length,
      8,
      'two contexts, each with two addresses of webhooks, one of forms, one of chats'
    )
    for (const address of addresses) {
      for (const { slug } of [open, guarded]) {
        const direct = address.replace(':flow', slug)
        for (const method of ['GET', 'OPTIONS', 'DELETE']) {
          const { status } = await service.request(method, direct)
          // The guard of the context may have been asked first.
          assert.ok(status === 404 || status === 401, `${method} ${direct}: ${status}`)
        }
        assert.notEqual((await service.request('POST', direct)).status, 202)
        const absolute = requestHead(`POST http://x${direct}`, { 'content-length': '2' })
        assert.notEqual((await sendRaw(service.address, absolute, '{}')).status, 202)
      }
    }
    assert.equal((await service.webhook(open.slug)).status, 202)
    assert.equal((await service.webhook(guarded.slug)).text, 'guarded')
  })

  it('are others in every service', async (t) => {
    const source = `export default async function sales (context) { ${TELLS_ROUTES} }`
    const addresses: string[] = []
    for (let n = 0; n < 2; n++) {
      addresses.push(...(await innerAddresses(await startWith(t, { 'sales.ts': source }))))
    }
    assert.equal(new Set(addresses).size, 8)
  })
})

const TELLS_ROUTES = `context.get('/routes', async () => context.printRoutes({ commonPrefix: false }))`

/** Where the webhooks of contexts are found, as only the process itself can know. */
async function innerAddresses(service: Service): Promise<string[]> {
  const routes = (await service.get('/routes')).text.matchAll(/\/\S*:flow/g)
  return [...routes].map(([address]) => address).filter((address) => UUID.test(address))
}
