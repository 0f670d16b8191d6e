import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createHost, HOST_KEY } from './support/host.ts'
import { requestHead, sendRaw } from './support/raw-http.ts'
import { type Service, startService } from './support/service.ts'

/** By the way past the router, through it, to the page and to what is not there. */
const REQUESTS = [
  'POST /api/v1/webhook/orders',
  'POST /api/v1/webhook/orders?a=1',
  'GET /api/v1/flows',
  'GET /',
  'GET /api/v1/absent'
]

function send(service: Service, line: string, host: string) {
  return sendRaw(service.address, requestHead(line, { host, 'x-api-key': service.key }))
}

describe('a request by a name that is not ours', () => {
  it('is refused on the loopback address, whatever it asks for, and told the remedy', async (t) => {
    const service = await startService(t)
    for (const line of REQUESTS) {
      const answer = await send(service, line, 'evil.example')
      assert.equal(answer.status, 421, `${line}: ${answer.text}`)
      const { code, detail } = JSON.parse(answer.body)
      assert.equal(code, 'unknown_host')
      assert.match(detail, /"evil\.example".*MILLRACE_PUBLIC_URL.*MILLRACE_ALLOWED_HOSTS/)
      assert.notEqual((await send(service, line, 'localhost')).status, 421)
    }
    assert.equal((await send(service, 'GET /readyz', 'evil.example')).status, 200)
    const { runs } = (await service.get('/api/v1/runs')).json<{ runs: unknown[] }>()
    assert.equal(runs.length, 2, 'only those that came by our name were started')
  })

  it('is answered where the operator says that it is ours', async (t) => {
    const env = {
      MILLRACE_PUBLIC_URL: 'https://flows.example.com',
      MILLRACE_ALLOWED_HOSTS: 'millrace, *.internal'
    }
    const service = await startService(t, { env })
    for (const host of ['flows.example.com', 'millrace:7860', 'a.internal']) {
      assert.equal((await send(service, 'POST /api/v1/webhook/orders', host)).status, 202, host)
      assert.equal((await send(service, 'GET /api/v1/flows', host)).status, 200, host)
    }
    assert.equal((await send(service, 'GET /api/v1/flows', 'evil.example')).status, 421)
  })

  it('is the business of the application that Millrace is in', async (t) => {
    const host = await createHost(t)
    const { address } = await host.listen()
    const head = requestHead('GET /flows/api/v1/flows', { host: 'shop.example', 'x-api-key': HOST_KEY })
    assert.equal((await sendRaw(new URL(address).origin, head)).status, 200)
  })
})

it('a request with two names is refused, wherever it goes', async (t) => {
  const service = await startService(t, { env: { MILLRACE_ALLOWED_HOSTS: '*' } })
  for (const line of REQUESTS) {
    const head = requestHead(line, { host: 'localhost', 'x-api-key': service.key })
    const answer = await sendRaw(service.address, head.replace(/\r\n\r\n$/, '\r\nHost: localhost\r\n\r\n'))
    assert.equal(answer.status, 400, `${line}: ${answer.text}`)
    assert.equal(JSON.parse(answer.body).code, 'bad_request')
  }
})
