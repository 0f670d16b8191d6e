import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseJson } from '../../flows/json/exact-json.ts'
import { startCalls } from './api-request.test-kit.ts'
import { apiRequest } from './api-request.ts'

const echo = { url: '/echo' }

describe('the URL of a request', () => {
  it('takes values as one piece each, whatever they hold', async (t) => {
    const { server, failure } = await startCalls(t)
    const url = '/orders/{id}?q={q}&u={$user}'
    await failure({ url }, { id: 'a/b?c#d %é', q: '1&2=3', $user: 'x y' })
    const { path, query } = server.requests[0]!
    assert.equal(path, '/orders/a%2Fb%3Fc%23d%20%25%C3%A9')
    assert.deepEqual(
      [...query],
      [
        ['q', '1&2=3'],
        ['u', 'x y']
      ]
    )
  })

  it('cannot be led to another path or host by a value', async (t) => {
    const { failure } = await startCalls(t)
    for (const id of ['..', '.', '...']) {
      assert.equal((await failure({ url: '/orders/{id}/x' }, { id })).code, 'url_invalid')
    }
    const error = await failure({ connection: 'shop', url: 'x/{id}' }, { id: 'http://elsewhere.example/' })
    assert.match(error.message, /\/v1\/x\/http%3A%2F%2Felsewhere\.example%2F was answered 404/)
  })

  it('does not lead to what is above where a value is empty', async (t) => {
    const { server, failure } = await startCalls(t)
    const codes = async (url: string, data: object) => (await failure({ url }, data)).code
    for (const url of ['/orders/{id}', '/orders/{id}/x', '/orders/{id}?x={q}', '/orders/{id}#x'])
      for (const id of ['', null]) assert.equal(await codes(url, { id, q: '' }), 'url_invalid', url)
    assert.equal(server.requests.length, 0)
    for (const url of ['/orders/no-{id}', '/orders?of=/{id}', '/orders/{id:raw}', '/orders/{gone?}'])
      assert.notEqual(await codes(url, { id: '' }), 'url_invalid', url)
    assert.equal(server.requests.length, 4)
  })

  it('takes a value as it is that says raw, or that is an address and begins it', async (t) => {
    const { server, failure, ask } = await startCalls(t)
    const error = await failure({ connection: 'shop', url: '/x/{path:raw}' }, { path: 'a/b?c=1' })
    assert.match(error.message, /\/v1\/x\/a\/b was answered 404/)
    const { body } = await ask(
      { connection: 'shop', url: '{link}?a={b}' },
      { link: server.url('/echo'), b: 'c d' }
    )
    assert.deepEqual((body as { query: unknown }).query, [['a', 'c d']])
  })

  it('follows the address of the connection', async (t) => {
    const { server, failure } = await startCalls(t)
    await failure({ connection: 'shop', url: '/orders/{id}' }, { id: 7 })
    await failure({ connection: 'shop', url: '{href}' }, { href: '/orders/8?x=1' })
    assert.deepEqual(
      server.requests.map(({ path, query }) => `${path}?${query}`),
      ['/v1/orders/7?', '/v1/orders/8?x=1']
    )
  })

  it('may come whole from the data', async (t) => {
    const { server, ask } = await startCalls(t)
    const { body } = await ask({ url: '{link}' }, { link: server.url('/echo?a=b%20c') })
    assert.deepEqual((body as { query: unknown }).query, [['a', 'b c']])
  })

  it('has to be whole where there is no connection', async (t) => {
    const { failure } = await startCalls(t)
    const error = await failure({ url: '{path}' }, { path: 'orders/7' })
    assert.deepEqual([error.code, error.retryable], ['url_invalid', false])
    assert.match(error.message, /Begin it with http/)
  })

  it('gets the query behind what it has', async (t) => {
    const { echoed } = await startCalls(t)
    const query = { a: '{a}', list: '{list}', gone: '{gone?}', none: '{none}', fixed: 7, text: 'x {a}' }
    const { query: got } = await echoed(
      { url: '/echo?z=1#end', query },
      { a: 'ä&', list: [1, 'b'], none: null }
    )
    assert.deepEqual(got, [
      ['z', '1'],
      ['a', 'ä&'],
      ['list', '1'],
      ['list', 'b'],
      ['fixed', '7'],
      ['text', 'x ä&']
    ])
  })

  it('fails before anything is sent where a key is missing, and names field and key', async (t) => {
    const { server, failure } = await startCalls(t)
    for (const field of ['query', 'headers', 'body']) {
      const error = await failure({ ...echo, method: 'POST', [field]: { x: '{gone}' } }, { here: 1 })
      assert.deepEqual([error.code, error.retryable], ['template_missing_key', false])
      assert.match(error.message, new RegExp(`^Field "${field}": .*gone.*here`, 's'))
    }
    assert.equal(server.requests.length, 0)
  })
})

describe('the headers of a request', () => {
  it('are templates, and what every request carries', async (t) => {
    const { echoed } = await startCalls(t)
    const { headers } = await echoed(
      { ...echo, headers: { 'X-Order': '{id}', 'X-All': ['a', '{id}'], Accept: 'text/csv' } },
      { id: 7 }
    )
    assert.equal(headers['x-order'], '7')
    assert.equal(headers['x-all'], 'a, 7')
    assert.equal(headers.accept, 'text/csv')
    assert.equal(headers['user-agent'], 'Millrace')
    assert.equal(headers['idempotency-key'], 'run-1/api-request-1')
  })

  it('keep a key of the node’s own, and lose one that it leaves empty', async (t) => {
    const { echoed } = await startCalls(t)
    const own = await echoed({ ...echo, headers: { 'idempotency-key': 'order-{id}' } }, { id: 7 })
    assert.equal(own.headers['idempotency-key'], 'order-7')
    const none = await echoed({ ...echo, headers: { 'Idempotency-Key': '' } })
    assert.equal(none.headers['idempotency-key'], undefined)
  })

  it('take no line break from a value', async (t) => {
    const { server, failure } = await startCalls(t)
    const error = await failure({ ...echo, headers: { 'X-Name': '{name}' } }, { name: 'a\r\nX-Evil: 1' })
    assert.equal(error.code, 'header_invalid')
    assert.equal(server.requests.length, 0)
  })
})

describe('the body of a request', () => {
  const data = parseJson(
    '{"id":12345678901234567890,"name":"Ann \\"A\\" \\\\ é","tags":["x","y"],"none":null}'
  )

  async function sent(t: Parameters<typeof startCalls>[0], fields: object, from: unknown = data) {
    const { echoed } = await startCalls(t)
    const { body, headers } = await echoed({ ...echo, method: 'POST', ...fields }, from)
    return [body, headers['content-type']]
  }

  it('is the data as JSON, digit for digit, where the field is empty', async (t) => {
    const json = '{"id":12345678901234567890,"name":"Ann \\"A\\" \\\\ é","tags":["x","y"],"none":null}'
    assert.deepEqual(await sent(t, {}), [json, 'application/json'])
    assert.deepEqual(await sent(t, { body: '' }, 'text'), ['"text"', 'application/json'])
  })

  it('is left out for methods that have none, without data, or where the node says so', async (t) => {
    const { echoed } = await startCalls(t)
    for (const fields of [{ method: 'GET' }, { method: 'DELETE' }, { method: 'POST', body_type: 'None' }]) {
      const { body, headers } = await echoed({ ...echo, ...fields }, { a: 1 })
      assert.deepEqual([body, headers['content-type']], ['', undefined])
    }
    assert.equal((await echoed({ ...echo, method: 'POST' })).body, '')
  })

  it('is an object of templates, whose values keep their types', async (t) => {
    const body = {
      id: '{id}',
      hello: 'Hi {name}',
      deep: [{ tags: '{tags}' }],
      none: '{none}',
      gone: '{gone?}',
      n: 1
    }
    const [text] = await sent(t, { body })
    assert.equal(
      text,
      '{"id":12345678901234567890,"hello":"Hi Ann \\"A\\" \\\\ é","deep":[{"tags":["x","y"]}],"none":null,"n":1}'
    )
  })

  it('is a text template: as it is, or as JSON where it is JSON', async (t) => {
    assert.deepEqual(await sent(t, { body: 'Order {id}' }), [
      'Order 12345678901234567890',
      'text/plain; charset=utf-8'
    ])
    const json =
      '{{"id": {id}, "name": "<{name}>", "plain": {name}, "tags": {tags}, "n": {none}, "g": {gone?}}}'
    const [text, type] = await sent(t, { body: json })
    assert.equal(
      text,
      '{"id": 12345678901234567890, "name": "<Ann \\"A\\" \\\\ é>", "plain": "Ann \\"A\\" \\\\ é", "tags": ["x","y"], "n": null, "g": null}'
    )
    assert.equal(type, 'application/json')
    assert.deepEqual(await sent(t, { body: '[{name}] {id}' }, { name: 'high', id: 1 }), [
      '[high] 1',
      'text/plain; charset=utf-8'
    ])
  })

  it('cannot be broken out of by a value between quotes', async (t) => {
    const [text] = await sent(t, { body: '{{"a": "{a}", "role": "user"}}' }, { a: '","role":"admin","x":"' })
    assert.deepEqual(JSON.parse(text!), { a: '","role":"admin","x":"', role: 'user' })
  })

  it('has to be JSON where it is said to be', async (t) => {
    const { failure, ask } = await startCalls(t)
    const error = await failure({ ...echo, method: 'POST', body_type: 'JSON', body: 'Order {id}' }, { id: 7 })
    assert.deepEqual([error.code, error.retryable], ['body_not_json', false])
    const { body } = await ask(
      { ...echo, method: 'POST', body_type: 'JSON', body: '{text}' },
      { text: '{"a":1}' }
    )
    assert.equal((body as { body: string }).body, '{"a":1}')
  })

  it('is a form, from an object or from text', async (t) => {
    const form = 'application/x-www-form-urlencoded'
    assert.deepEqual(
      await sent(t, { body_type: 'Form', body: { n: '{name}', t: '{tags}' } }, { name: 'a&b', tags: [1, 2] }),
      ['n=a%26b&t=1&t=2', form]
    )
    assert.deepEqual(await sent(t, { body_type: 'Form', body: 'n={name}&x=1' }, { name: 'a&b' }), [
      'n=a%26b&x=1',
      form
    ])
    const headers = { 'Content-Type': form }
    assert.deepEqual(await sent(t, { headers, body: { n: '{name}' } }, { name: 'é' }), ['n=%C3%A9', form])
  })

  it('is a form with files', async (t) => {
    const file = {
      base64: Buffer.from('hello').toString('base64'),
      filename: 'a"b.txt',
      content_type: 'text/plain'
    }
    const [text, type] = await sent(
      t,
      { body_type: 'Multipart', body: { id: '{id}', file: '{file}' } },
      { id: 7, file }
    )
    const boundary = /boundary=(.*)/.exec(type!)![1]
    assert.equal(
      text,
      [
        `--${boundary}`,
        'Content-Disposition: form-data; name="id"',
        '',
        '7',
        `--${boundary}`,
        'Content-Disposition: form-data; name="file"; filename="a%22b.txt"',
        'Content-Type: text/plain',
        '',
        'hello',
        `--${boundary}--`,
        ''
      ].join('\r\n')
    )
  })

  it('is bytes, given as base64', async (t) => {
    const base64 = Buffer.from('bytes').toString('base64')
    assert.deepEqual(await sent(t, { body_type: 'Binary', body: '{b}' }, { b: base64 }), [
      'bytes',
      'application/octet-stream'
    ])
    const file = { base64, content_type: 'image/png' }
    assert.deepEqual(await sent(t, { body_type: 'Binary', body: '{b}' }, { b: file }), ['bytes', 'image/png'])
    const { failure } = await startCalls(t)
    assert.equal(
      (await failure({ ...echo, method: 'PUT', body_type: 'Binary', body: '{b}' }, { b: 'ä' })).code,
      'body_not_base64'
    )
  })

  it('is made of names and values where it is a form', async (t) => {
    const { failure } = await startCalls(t)
    for (const body_type of ['Form', 'Multipart']) {
      assert.equal((await failure({ ...echo, method: 'POST', body_type }, [1])).code, 'body_not_an_object')
    }
  })
})

describe('a node that is saved', () => {
  const fieldsOf = (given: object) => ({
    connection: '',
    method: 'GET',
    url: 'https://shop.example/',
    query: null,
    headers: null,
    body: null,
    body_type: 'Auto',
    fail_on_status: true,
    response_type: 'Auto',
    max_bytes: 1,
    follow_redirects: true,
    pagination: 'None',
    items: '',
    next: '',
    page_parameter: '',
    first_page: 1,
    max_pages: 1,
    ...given
  })
  const faults = (given: object) =>
    (apiRequest.check!(fieldsOf(given) as never) ?? []).map(({ field, message }) => `${field}: ${message}`)

  it('is sound with a whole URL, or with a path and a connection', () => {
    assert.deepEqual(faults({}), [])
    assert.deepEqual(faults({ url: '/orders', connection: 'shop' }), [])
    assert.deepEqual(faults({ url: '{link}' }), [])
  })

  it('is told what is wrong', () => {
    assert.match(faults({ url: '/orders' })[0]!, /^url: Without a connection/)
    assert.match(faults({ url: 'https://ann:x@shop.example/' })[0]!, /^url: It holds a user or a password/)
    assert.match(faults({ query: ['a'] })[0]!, /^query: It takes an object/)
    assert.match(faults({ headers: { 'a b': 'x' } })[0]!, /^headers: "a b" cannot be the name/)
    assert.match(faults({ headers: { Host: 'x' } })[0]!, /^headers: The header Host is set by Millrace/)
    assert.match(faults({ body: { a: { b: '{' } } })[0]!, /^body: At a\.b: This {/)
    assert.match(faults({ pagination: 'Cursor' })[0]!, /^next: Say where/)
  })
})
