import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { type ApiClient, problemOf } from './support/api-client.ts'
import { anythingFlow, ordersFlow } from './support/documents.ts'
import { requestHead, sendRaw } from './support/raw-http.ts'
import { outputOf, readBack } from './support/read-back.ts'
import { serviceOfFile, startService } from './support/service.ts'

const shared = serviceOfFile()

/** What was sent, and the run's `input` as it must stand in the text of the answer. */
const BODIES: [title: string, body: string | Buffer, input: string][] = [
  ['an object', '{"order_id": 7, "customer": "Ann"}', '{"order_id":7,"customer":"Ann"}'],
  ['an array', '[1, "two", null]', '[1,"two",null]'],
  ['a string', '"text"', '"text"'],
  ['a number', '42', '42'],
  ['a boolean', 'true', 'true'],
  ['null', 'null', 'null'],
  ['white space around JSON', ' \r\n\t{"a":1}\n ', '{"a":1}'],
  ['nothing at all', '', '{"payload":""}'],
  ['text that is not JSON', 'hello "you"\n', '{"payload":"hello \\"you\\"\\n"}'],
  ['JSON that is cut off', '{"a": 1', '{"payload":"{\\"a\\": 1"}'],
  ['two JSON values', '{"a":1}{"b":2}', '{"payload":"{\\"a\\":1}{\\"b\\":2}"}'],
  ['words that only JavaScript knows', 'NaN', '{"payload":"NaN"}'],
  ['a form', 'a=1&b=2', '{"payload":"a=1&b=2"}'],
  ['a byte order mark before JSON', '\uFEFF{"a":1}', '{"a":1}'],
  ['a byte order mark before text', '\uFEFFhello', '{"payload":"hello"}'],
  ['bytes that are not UTF-8', Buffer.from([0x68, 0xff, 0xfe, 0x69]), '{"payload":"h\uFFFD\uFFFDi"}'],
  ['bytes that are not UTF-8 in JSON', Buffer.from('{"a":"\xe9"}', 'latin1'), '{"a":"\uFFFD"}'],
  ['a lone surrogate', '{"a":"\\ud800"}', '{"a":"\\ud800"}'],
  ['a null character', '{"a":"\\u0000b"}', '{"a":"\\u0000b"}'],
  ['integers of 20 digits', '{"id":12345678901234567890}', '{"id":12345678901234567890}'],
  ['64-bit ids', '[9223372036854775807,-9223372036854775808]', '[9223372036854775807,-9223372036854775808]'],
  [
    'decimals with a trailing zero',
    '{"price":1.10,"n":1.0,"big":1e400}',
    '{"price":1.10,"n":1.0,"big":1e400}'
  ],
  ['many decimals', '0.1234567890123456789012345678901', '0.1234567890123456789012345678901'],
  ['minus zero', '[-0, -0.0, 0]', '[-0,-0.0,0]'],
  ['digits in text and keys', '{"12345678901234567890":"1.10"}', '{"12345678901234567890":"1.10"}'],
  ['__proto__ and its kin', '{"__proto__":{"a":1},"constructor":2}', '{"__proto__":{"a":1},"constructor":2}'],
  ['a key twice', '{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'],
  ['letters of all kinds', '{"ключ":"値","😀":"é"}', '{"ключ":"値","😀":"é"}']
]

describe('the body of a webhook', () => {
  for (const [title, body, input] of BODIES) {
    it(`may be ${title}`, async (t) => {
      const service = await shared(t)
      const { slug } = await service.createFlow(anythingFlow())
      const { text, run } = await runAndRead(service, slug, body)
      assert.equal(run.status, 'succeeded', text)
      assert.ok(text.includes(`"input":${input},`), text)
      const steps = text.slice(text.indexOf('"steps":'))
      assert.ok(steps.includes(`"data":${input}`), text)
    })
  }

  const json = '{"order_id":12345678901234567890}'
  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['Deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['gzip, br', (body: string) => brotliCompressSync(gzipSync(body))]
  ] as const) {
    it(`may be packed (${encoding})`, async (t) => {
      const service = await shared(t)
      const { slug } = await service.createFlow(anythingFlow())
      const { text } = await runAndRead(service, slug, pack(json), { 'content-encoding': encoding })
      assert.ok(text.includes(`"input":${json},`), text)
    })
  }

  it('is taken as it is where it is not packed as it says', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    for (const encoding of ['gzip', 'utf-8', 'identity']) {
      const { text } = await runAndRead(service, slug, json, { 'content-encoding': encoding })
      assert.ok(text.includes(`"input":${json},`), text)
    }
  })

  it('is taken as it is where it is packed more often than anybody does', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    let packed = Buffer.from('{"n":1}')
    for (let times = 1; times <= 5; times++) {
      packed = gzipSync(packed)
      const encoding = new Array(times).fill('gzip').join(', ')
      const { run } = await runAndRead(service, slug, packed, { 'content-encoding': encoding })
      assert.deepEqual(run.input, times < 5 ? { n: 1 } : { payload: packed.toString() })
    }
  })

  it('may be signed as it is sent, or as it was before it was packed', async (t) => {
    const service = await shared(t)
    const fields = { auth: 'Signature', signature_scheme: 'GitHub', signing_secret: 'shared-by-both-of-us' }
    const { slug } = await service.createFlow(anythingFlow(fields))
    const signed = (body: string | Buffer) => ({
      'content-encoding': 'gzip',
      'x-hub-signature-256': `sha256=${createHmac('sha256', 'shared-by-both-of-us').update(body).digest('hex')}`
    })
    const packed = gzipSync('{"a":1}')
    for (const body of ['{"a":1}', packed]) {
      const answer = await service.webhook(slug, packed, { key: null, headers: signed(body) })
      assert.equal(answer.status, 202, answer.text)
    }
    const other = await service.webhook(slug, packed, { key: null, headers: signed('{"a":2}') })
    problemOf(other, 401, 'unauthorized')
  })

  it('is held to the limit as it is unpacked', async (t) => {
    const service = await startService(t, { env: { MILLRACE_BODY_LIMIT: '10kb' } })
    const { slug } = await service.createFlow(anythingFlow())
    const headers = { 'content-encoding': 'gzip' }
    const refused = await service.webhook(slug, gzipSync('x'.repeat(10_241)), { headers })
    problemOf(refused, 413, 'body_too_large')
    assert.equal((await service.webhook(slug, gzipSync('x'.repeat(10_240)), { headers })).status, 202)
  })

  it('keeps its digits through template and Stringify', async (t) => {
    const service = await shared(t)
    const body = '{"order_id":12345678901234567890,"customer":1.10}'
    const orders = await service.createFlow(ordersFlow())
    const { run } = await runAndRead(service, orders.slug, body)
    assert.deepEqual(outputOf(run, 'parser-1'), { parsed_text: 'Order 12345678901234567890 from 1.10' })
    const anything = await service.createFlow(anythingFlow())
    const printed = (await runAndRead(service, anything.slug, body)).run
    assert.deepEqual(outputOf(printed, 'parser-1'), {
      parsed_text: '{\n  "order_id": 12345678901234567890,\n  "customer": 1.10\n}'
    })
  })

  it('may be nested as deep as its sender likes', async (t) => {
    const service = await shared(t)
    const { slug, id } = await service.createFlow(anythingFlow())
    for (const levels of [900, 5_000, 100_000]) {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}']
      ] as const) {
        const body = `${open.repeat(levels)}1${close.repeat(levels)}`
        const { run, text } = await runAndRead(service, slug, body)
        assert.equal(run.status, 'succeeded', `${levels} levels of ${open}`)
        const input = levels === 900 ? body : JSON.stringify({ payload: body })
        assert.ok(text.includes(`"input":${input}`), `${levels} levels of ${open}`)
      }
    }
    assert.equal((await service.get(`/api/v1/runs?flow_id=${id}&q=aaa`)).status, 200)
    assert.equal((await service.get(`/api/v1/flows/${id}/nodes/webhook-1/output`)).status, 200)
    assert.equal((await service.get('/livez')).status, 200)
  })

  it('does not touch the objects of the process', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(ordersFlow())
    const body = '{"__proto__":{"order_id":1,"customer":"inherited"}}'
    const { run } = await runAndRead(service, slug, body)
    assert.equal(run.status, 'failed', 'a template reads own keys only')
    assert.match(run.error!.message, /order_id/)
    assert.equal(({} as Record<string, unknown>).order_id, undefined)
  })
})

describe('the Content-Type of a webhook', () => {
  const TYPES = [
    'application/json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'application/octet-stream',
    'application/cloudevents+json',
    'garbage',
    ';;;',
    '/',
    'a/b/c',
    'application/json;',
    'text/plain; charset=',
    '""',
    'é'
  ]

  for (const type of TYPES) {
    it(`may be ${JSON.stringify(type)}`, async (t) => {
      const service = await shared(t)
      const { slug } = await service.createFlow(anythingFlow())
      const body = Buffer.from('{"n":1.10}')
      const head = requestHead(`POST /api/v1/webhook/${slug}`, {
        'x-api-key': service.key,
        prefer: 'wait=30',
        'content-type': type,
        'content-length': String(body.length)
      })
      const answer = await sendRaw(service.address, Buffer.from(head, 'latin1'), body)
      assert.equal(answer.status, 202, answer.text)
      const { text, run } = await readBack(service, JSON.parse(answer.body).run_id)
      assert.ok(text.includes('"input":{"n":1.10}'), text)
      const { headers } = outputOf(run, 'webhook-1').request as { headers: Record<string, string> }
      assert.equal(headers['content-type'], type, 'the flow sees the type that was sent')
    })
  }

  it('is read in the character set that it says, unless it is in UTF-8 all the same', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    const latin = 'text/plain; charset="ISO-8859-1"'
    const xml = '<?xml version="1.0" encoding="windows-1251"?><a>'
    const koi8 = Buffer.from([0x22, 0xf0, 0xd2, 0xc9, 0x22])
    const sent: [type: string, body: Buffer, input: unknown][] = [
      [latin, Buffer.from('Grüße', 'latin1'), { payload: 'Grüße' }],
      [latin, Buffer.from('Grüße'), { payload: 'Grüße' }],
      ['application/json; charset=koi8-r', koi8, 'При'],
      ['application/json;charset=utf-16le', Buffer.from('\uFEFF{"a":"ж"}', 'utf16le'), { a: 'ж' }],
      ['application/xml', Buffer.from(`${xml}\xcf</a>`, 'latin1'), { payload: `${xml}П</a>` }],
      [
        'application/x-www-form-urlencoded; charset=iso-8859-1',
        Buffer.from('a=%FC&%E9=x'),
        { a: 'ü', é: 'x' }
      ],
      ['text/plain; charset=none-such', Buffer.from('ü'), { payload: 'ü' }]
    ]
    for (const [type, body, input] of sent) {
      const headers = { 'content-type': type }
      const { run } = await runAndRead(service, slug, body, headers)
      assert.deepEqual(run.input, input, type)
    }
  })

  it('may be missing, empty, or sent with no body', async (t) => {
    const service = await shared(t)
    const { slug } = await service.createFlow(anythingFlow())
    const sent: [headers: Record<string, string>, body: string, input: string][] = [
      [{ 'content-length': '7' }, '{"a":1}', '{"a":1}'],
      [{ 'content-length': '7', 'content-type': '' }, '{"a":1}', '{"a":1}'],
      [{ 'content-length': '0' }, '', '{"payload":""}'],
      [{}, '', '{"payload":""}'],
      [{ 'content-type': 'application/json' }, '', '{"payload":""}'],
      [{ 'content-type': 'application/json', 'content-length': '0' }, '', '{"payload":""}'],
      [{ 'content-type': ';;;', 'content-length': '0' }, '', '{"payload":""}']
    ]
    for (const [headers, body, input] of sent) {
      const all = { 'x-api-key': service.key, prefer: 'wait=30', ...headers }
      const answer = await sendRaw(service.address, requestHead(`POST /v1/webhook/${slug}`, all), body)
      assert.equal(answer.status, 202, `${JSON.stringify(headers)}: ${answer.text}`)
      const { text } = await readBack(service, JSON.parse(answer.body).run_id)
      assert.ok(text.includes(`"input":${input}`), text)
    }
  })
})

async function runAndRead(
  service: ApiClient,
  flow: string,
  body: string | Buffer,
  headers: Record<string, string> = {}
) {
  return readBack(service, await service.start(flow, body, { headers: { prefer: 'wait=60', ...headers } }))
}
