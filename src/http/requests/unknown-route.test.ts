import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import Fastify from 'fastify'
import { sendProblem } from '../problem.ts'
import { unknownRoutes } from './unknown-route.ts'

describe('an address that is not there', () => {
  const app = Fastify()
  after(() => app.close())
  app.setNotFoundHandler(
    unknownRoutes(app, { mayTake: () => false, answer: async () => {} }, { send: sendProblem })
  )
  app.get('/flows', () => '')
  app.post('/flows', () => '')
  app.post('/webhook/:flow', () => '')
  app.get('/api/v1.json', () => '')

  const rows: [method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, status: number, allow?: string][] = [
    ['PUT', '/flows', 405, 'GET, HEAD, POST'],
    ['GET', '/webhook/orders', 405, 'POST'],
    ['DELETE', '/webhook/orders?x=1', 405, 'POST'],
    ['GET', '/nowhere', 404],
    ['GET', '/webhook', 404],
    ['GET', '/webhook/a/b', 404],
    ['GET', '/webhook/', 404],
    ['POST', '/api/v1xjson', 404],
    ['POST', '/api/v1.json', 405, 'GET, HEAD']
  ]
  for (const [method, url, status, allow] of rows) {
    it(`answers ${status} to ${method} ${url}`, async () => {
      const answer = await app.inject({ method, url })
      assert.equal(answer.statusCode, status)
      assert.equal(answer.headers.allow, allow)
      assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
      const { code } = answer.json<{ code: string }>()
      assert.equal(code, status === 405 ? 'method_not_allowed' : 'route_not_found')
    })
  }
})
