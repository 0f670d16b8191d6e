import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Answer } from '../../../test/support/misbehaving-server.ts'
import { resolveFields } from '../../flows/component/component.ts'
import { startCalls } from './api-request.test-kit.ts'
import { apiRequest } from './api-request.ts'

const TOTAL = 5
const ROWS = Array.from({ length: TOTAL }, (_, index) => ({ id: index + 1 }))

/** Two rows a page, in three manners. */
const answers: Readonly<Record<string, Answer>> = {
  '/linked': (response, { query }) => {
    const from = Number(query.get('from') ?? 0)
    const link =
      from + 2 < TOTAL
        ? {
            link: `<https://x.example/>; rel="prev", </linked?from=${from + 2}>; title="a, b"; rel="last next"`
          }
        : {}
    response
      .writeHead(200, { 'content-type': 'application/json', ...link })
      .end(JSON.stringify(ROWS.slice(from, from + 2)))
  },
  '/cursor': (response, { query }) => {
    const from = Number(query.get('after') ?? 0)
    const next = from + 2 < TOTAL ? from + 2 : null
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ rows: ROWS.slice(from, from + 2), next }))
  },
  '/numbered': (response, { query }) => {
    const from = (Number(query.get('page')) - 1) * 2
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(ROWS.slice(from, from + 2)))
  },
  '/third-fails': (response, { query }) => {
    const status = query.get('page') === '3' ? 500 : 200
    response.writeHead(status, { 'content-type': 'application/json' }).end('[1]')
  },
  '/same': (response) => void response.writeHead(200, { link: '</same>; rel=next' }).end('[1]'),
  '/untamed': (response) =>
    void response.writeHead(200, { link: '<mailto:x@example.com>; rel=next' }).end('[1]')
}

describe('pages', () => {
  it('are found by the header Link', async (t) => {
    const { server, ask } = await startCalls(t, { answers })
    const { body, response } = await ask({ url: '/linked', pagination: 'Next link' })
    assert.deepEqual(body, ROWS)
    assert.deepEqual([response.body, response.pages], [ROWS, 3])
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['idempotency-key']),
      ['run-1/api-request-1', 'run-1/api-request-1/2', 'run-1/api-request-1/3']
    )
  })

  it('are found by a link in the body', async (t) => {
    const { ask } = await startCalls(t, {
      answers: {
        '/inside': (response, { query }) => {
          const page = Number(query.get('p') ?? 1)
          response.end(JSON.stringify({ rows: [page], links: page < 3 ? { next: `?p=${page + 1}` } : {} }))
        }
      }
    })
    const { body } = await ask({
      url: '/inside',
      pagination: 'Next link',
      items: '{body.rows}',
      next: '{body.links.next?}'
    })
    assert.deepEqual(body, [1, 2, 3])
  })

  it('are found by a cursor', async (t) => {
    const { server, ask } = await startCalls(t, { answers })
    const fields = {
      pagination: 'Cursor',
      items: '{body.rows}',
      next: '{body.next}',
      page_parameter: 'after'
    }
    const { body } = await ask({ url: '/cursor', query: { size: 2 }, ...fields })
    assert.deepEqual(body, ROWS)
    assert.deepEqual(
      server.requests.map(({ query }) => String(query)),
      ['size=2', 'size=2&after=2', 'size=2&after=4']
    )
  })

  it('are named by what the run knows, too', async (t) => {
    const { server, ask } = await startCalls(t, { answers })
    const fields = { pagination: 'Cursor', items: '{body.rows}', next: '{$run.id}', page_parameter: 'after' }
    await assert.rejects(ask({ url: '/cursor', ...fields }, {}, { run: { id: '2' } }), {
      code: 'pagination_loop'
    })
    assert.deepEqual(
      server.requests.map(({ query }) => String(query)),
      ['', 'after=2']
    )
  })

  it('are counted, until one is empty', async (t) => {
    const { server, ask } = await startCalls(t, { answers })
    const { body, response } = await ask({ url: '/numbered', pagination: 'Page number' })
    assert.deepEqual([body, response.pages], [ROWS, 4])
    assert.deepEqual(
      server.requests.map(({ query }) => query.get('page')),
      ['1', '2', '3', '4']
    )
  })

  it('go on with the one that an attempt had reached, and begin anew where that is refused by then', async (t) => {
    let isDown = true
    const { server, ask, failure, carried } = await startCalls(t, {
      answers: {
        '/flaky': (response, { query }) => {
          const page = Number(query.get('page'))
          const status = page === 3 && isDown ? 503 : 200
          response.writeHead(status).end(JSON.stringify(page < 5 ? [page] : []))
        }
      }
    })
    const fields = { url: '/flaky', pagination: 'Page number' }
    assert.equal((await failure(fields)).code, 'upstream_failed')
    isDown = false
    const { body, response } = await ask(fields)
    assert.deepEqual([body, response.pages], [[1, 2, 3, 4], 5])
    const pages = () => server.requests.map(({ query }) => Number(query.get('page')))
    assert.deepEqual(pages(), [1, 2, 3, 3, 4, 5])
    carried.values = [
      { at: server.url('/flaky?page=1'), items: ['old'], next: server.url('/gone'), bytes: 5 }
    ]
    assert.deepEqual((await ask(fields)).body, [1, 2, 3, 4])
    carried.values = [{ at: server.url('/other'), items: ['old'], next: server.url('/other?2'), bytes: 5 }]
    assert.deepEqual((await ask(fields)).body, [1, 2, 3, 4])
    // What is read a second time counts once.
    carried.values = [
      { at: server.url('/flaky?page=1'), items: ['old'], next: server.url('/gone'), bytes: 12 }
    ]
    assert.deepEqual((await ask({ ...fields, max_bytes: 15 })).body, [1, 2, 3, 4])
  })

  it('are read with a pause between them, which is a minute at most', async (t) => {
    const { ask } = await startCalls(t, { answers })
    const begun = performance.now()
    await ask({ url: '/linked', pagination: 'Next link', pause: '0.05s' })
    assert.ok(performance.now() - begun >= 95)
    const faults = (pause: string) =>
      apiRequest.check!(resolveFields(apiRequest, { url: 'https://x.example', pause }) as never)
    assert.deepEqual([faults('soon').length, faults('2m').length, faults('1m').length], [1, 1, 0])
  })

  it('fail whole rather than in part', async (t) => {
    const { failure, carried } = await startCalls(t, { answers })
    const codeOf = async (fields: object) => {
      carried.values = []
      return (await failure({ ...fields })).code
    }
    assert.equal(await codeOf({ url: '/third-fails', pagination: 'Page number' }), 'upstream_failed')
    assert.equal(await codeOf({ url: '/linked', pagination: 'Next link', max_pages: 2 }), 'too_many_pages')
    assert.equal(
      await codeOf({ url: '/linked', pagination: 'Next link', max_bytes: 30 }),
      'response_too_large'
    )
    assert.equal(await codeOf({ url: '/same', pagination: 'Next link' }), 'pagination_loop')
    assert.equal(await codeOf({ url: '/untamed', pagination: 'Next link' }), 'url_invalid')
    assert.equal(await codeOf({ url: '/cursor', pagination: 'Page number' }), 'page_without_items')
  })
})
