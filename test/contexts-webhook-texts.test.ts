import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { flowIn, makeContext, startWith } from './support/contexts.ts'

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

describe('what is told of a webhook in a context', () => {
  const SHOWS = `export default async function sales (context) {
    const seen = []
    context.addHook('onRoute', ({ url }) => { seen.push(url) })
    context.addHook('onRequest', async (request) => {
      if (request.headers['x-fail']) throw new Error('no luck')
      seen.push(request.routeOptions.url, request.routeOptions.config.url)
    })
    context.addHook('onResponse', async (request) => { seen.push(request.routeOptions.url) })
    context.get('/seen', { logLevel: 'silent' }, async () => seen.splice(0))
  }`
  const PATTERNS = ['/api/v1/webhook/:flow', '/v1/webhook/:flow']

  it('is the pattern that was called, to hooks of every kind, from the first request on', async (t) => {
    const service = await startWith(t, {
      'shop.ts': `${SHOWS.replace('export default ', '')}
        export default async function shop (context) { context.register(sales, { prefix: '/shop' }) }`
    })
    await makeContext(service, '/shop/sales/data')
    const routes = (await service.get('/shop/seen')).json<string[]>()
    assert.deepEqual(routes.filter((url) => url.includes('webhook')).toSorted(), PATTERNS)
    for (const context of ['/shop/sales', '/shop/sales/data']) {
      const { slug } = await service.createFlow(flowIn(context))
      for (const pattern of PATTERNS) {
        assert.equal((await service.post(pattern.replace(':flow', slug))).status, 202)
        const seen = (await service.get('/shop/seen')).json<string[]>()
        assert.deepEqual(
          seen.filter((url) => url !== '/shop/seen'),
          [pattern, pattern, pattern]
        )
      }
    }
  })

  it('is that pattern and the flow in the log of a failure', async (t) => {
    const lines: string[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
    const service = await startWith(t, { 'sales.ts': SHOWS }, { log })
    const { slug } = await service.createFlow(flowIn('/sales'))
    assert.equal((await service.webhook(slug, '{}', { headers: { 'x-fail': '1' } })).status, 500)
    const { url, flow, err } = JSON.parse(lines.find((line) => line.includes('no luck'))!)
    assert.deepEqual([url, flow, err.message], ['/api/v1/webhook/:flow', slug, 'no luck'])
    assert.doesNotMatch(lines.join(''), new RegExp(`${UUID.source}/\\d+/`))
  })
})
