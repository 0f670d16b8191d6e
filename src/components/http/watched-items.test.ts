import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { IncomingAnswer, JsonValue, ReadDocuments, SendRequest } from '../../plugin-api.ts'
import { watchedItems } from './watched-items.ts'

interface Given {
  readonly fields?: Readonly<Record<string, JsonValue>>
  readonly variables?: Readonly<Record<string, JsonValue>>
  readonly body?: string
  readonly contentType?: string
  readonly status?: number
  readonly readDocuments?: ReadDocuments
}

const noDocuments: ReadDocuments = () => assert.fail('it reads no document')

async function look({ fields, variables = {}, body = '[]', ...given }: Given) {
  const sent: { url: string; headers: Readonly<Record<string, string>> }[] = []
  const send: SendRequest = async (url, { headers = {} } = {}) => {
    sent.push({ url: String(url), headers })
    return {
      status: given.status ?? 200,
      headers: { 'content-type': given.contentType ?? 'application/json' },
      url: String(url),
      body: (async function* () {
        yield Buffer.from(body)
      })(),
      discard: async () => {}
    } as unknown as IncomingAnswer
  }
  const found = await watchedItems({
    fields: { url: 'https://shop.example/orders', key: '{id}', ...fields },
    variables,
    send,
    connection: () => assert.fail('it uses no connection'),
    readDocuments: given.readDocuments ?? noDocuments,
    pacer: { pause: () => undefined }
  })
  return { found, sent }
}

describe('a list that is watched', () => {
  it('is asked for as the fields say, with the variables of the context', async () => {
    const fields = {
      url: 'https://shop.example/{$region}/orders',
      query: { q: '{$word}' },
      headers: { 'X-A': '{$word}' }
    }
    const { sent } = await look({ fields, variables: { region: 'no rth', word: 'a b' } })
    assert.equal(sent[0]!.url, 'https://shop.example/no%20rth/orders?q=a%20b')
    assert.equal(sent[0]!.headers['x-a'], 'a b')
  })

  it('tells its items apart by what is read of each, and by the day', async () => {
    const keyed = (key: string, now: string) =>
      look({ fields: { key }, variables: { now, flow: { slug: 'orders' } }, body: '[{"id":1},{"id":2}]' })
    const ids = async (...given: Parameters<typeof keyed>) =>
      (await keyed(...given)).found.map(({ id }) => id)
    const [today, later, tomorrow] = [
      '2026-03-02T10:00:00.000Z',
      '2026-03-02T11:00:00.000Z',
      '2026-03-03T10:00:00.000Z'
    ]
    const whole = await ids('{$data.id}-{$flow.slug}-{$now:yyyy-MM-dd}', today)
    assert.equal(new Set(whole).size, 2)
    assert.deepEqual(await ids('{id}-orders-{$now:yyyy-MM-dd}', later), whole)
    assert.notDeepEqual(await ids('{id}-orders-{$now:yyyy-MM-dd}', tomorrow), whole)
  })

  it('keeps every digit of its items, and has each key once', async () => {
    const body = '{"data":[{"id":12345678901234567890,"a":1},{"id":2},{"id":2,"a":3}]}'
    const { found } = await look({ fields: { items: 'data' }, body })
    assert.deepEqual(
      found.map(({ id, item }) => [id.length, (item as { a?: JsonValue }).a]),
      [
        [16, 1],
        [16, undefined]
      ]
    )
    assert.notEqual(found[0]!.id, found[1]!.id)
  })

  it('has the items as a whole for keys where none is named', async () => {
    const { found } = await look({ fields: { key: '' }, body: '["a","b","a"]' })
    assert.deepEqual(
      found.map(({ item }) => item),
      ['a', 'b']
    )
  })

  it('is a feed where the answer is XML, whatever it is called', async () => {
    const readDocuments: ReadDocuments = async ({ kind }) => {
      assert.equal(kind, 'feed')
      return [{ value: [{ id: 'new' }, { id: 'old' }] }]
    }
    const { found } = await look({ body: '\uFEFF <rss/>', contentType: 'application/json', readDocuments })
    assert.deepEqual(
      found.map(({ item }) => item),
      [{ id: 'old' }, { id: 'new' }]
    )
  })

  it('that cannot be read is told', async () => {
    const broken: ReadDocuments = async () => [{ fault: { code: 'document_broken', message: 'No feed.' } }]
    const cases: [Given, string, RegExp][] = [
      [{ body: '{"a":1}' }, 'items_not_a_list', /^The answer is not a list/],
      [{ body: '{"a":1}', fields: { items: 'b' } }, 'items_not_a_list', /^"b" of the answer is absent/],
      [{ body: '[{"id":1},{"name":2}]' }, 'template_missing_key', /^Item 2 of the list/],
      [{ body: '[{"id":" "}]' }, 'key_empty', /item 1/],
      [{ body: `[${'0,'.repeat(10_000)}0]` }, 'too_many_items', /10001/],
      [{ body: `["${'a'.repeat(10 * 1024 ** 2)}"]` }, 'response_too_large', /10 MB/],
      [{ body: 'closed', status: 403 }, 'upstream_unauthorized', /403 and said: closed/],
      [{ body: 'nothing' }, 'response_not_json', /not JSON/],
      [{ body: '<html>', readDocuments: broken }, 'document_broken', /not a feed either: No feed/],
      [{ fields: { url: '/orders' } }, 'url_invalid', /complete URL/],
      [{ fields: { headers: { Host: 'a' } } }, 'header_invalid', /Host/]
    ]
    for (const [given, code, message] of cases) await assert.rejects(look(given), { code, message })
  })
})
