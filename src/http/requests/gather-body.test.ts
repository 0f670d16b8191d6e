import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import { asMillraceError } from '../problem.ts'
import { readExactJson, readJson } from './exact-body.ts'
import { GatheredBody, gatherBodiesOfPlugins } from './gather-body.ts'

function gathered(parts: Iterable<Buffer>): Buffer {
  const body = new GatheredBody()
  for (const part of parts) body.add(part)
  return body.take()
}

/**
 * The text in parts of one byte that all lie in the same memory, but for the first, which may be kept. Whoever keeps
 * further parts, and pays for each of them, finds nothing in them but the last.
 */
function* inOnePlace(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text)
  yield bytes.subarray(0, 1)
  const place = Buffer.alloc(1)
  for (const byte of bytes.subarray(1)) {
    place[0] = byte
    yield place
  }
}

/** Hands each part on as soon as it is there; by then whoever reads it has begun. */
function emitting(parts: Iterable<Buffer>): Readable {
  const stream = new Readable({ read: () => {} })
  setImmediate(() => {
    for (const part of parts) stream.push(part)
    stream.push(null)
  })
  return stream
}

describe('a gathered body', () => {
  it('is what was added, however it was parted', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 700 }), { maxLength: 20 }), (parts) => {
        assert.deepEqual(gathered(parts.map((part) => Buffer.from(part))), Buffer.concat(parts))
      })
    )
  })

  it('keeps no parts', () => {
    const text = 'abcdefghij'.repeat(1_000)
    assert.equal(gathered(inOnePlace(text)).toString(), text)
  })

  it('holds no more memory at the end than it needs', () => {
    const { buffer, length } = gathered(inOnePlace('x'.repeat(40_000)))
    assert.ok(length === 40_000 && buffer.byteLength < 45_000, `${buffer.byteLength} bytes`)
  })

  it('in one part is that part, and is not copied', () => {
    const part = Buffer.from('{}')
    assert.equal(gathered([part]), part)
  })
})

describe('the parsers', () => {
  const kinds: [name: string, read: (app: FastifyInstance) => void][] = [
    ['of the API', readJson],
    [
      'of payloads',
      (app) => {
        readJson(app)
        readExactJson(app)
      }
    ],
    ["of plugins' routes", gatherBodiesOfPlugins]
  ]
  const post = (app: FastifyInstance, payload: string | Readable) =>
    app.inject({ method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, payload })

  function serve(
    read: (app: FastifyInstance) => void,
    options: { bodyLimit?: number } = {}
  ): FastifyInstance {
    const app = Fastify()
    read(app)
    app.setErrorHandler((error, _request, reply) => {
      const { status, code, message } = asMillraceError(error)!
      return reply.code(status).send({ code, message })
    })
    app.post('/', options, async ({ body }) => ({ body }))
    return app
  }

  for (const [name, read] of kinds) {
    it(`${name} keep no parts of a body`, async () => {
      const app = serve(read)
      const text = `"${'abcdefghij'.repeat(100)}"`
      app.addHook('preParsing', async () => emitting(inOnePlace(text)))
      assert.equal((await post(app, text)).json().body, JSON.parse(text))
    })

    it(`${name} go by the limit of the route, said or not`, async () => {
      const app = serve(read, { bodyLimit: 10 })
      assert.equal((await post(app, '"12345678"')).statusCode, 200)
      const refused = [await post(app, '"123456789"'), await post(app, Readable.from(['"1234', '56789"']))]
      for (const answer of refused) {
        assert.equal(answer.statusCode, 413)
        assert.match(answer.json().message, /larger than the 10 bytes that this address takes/)
      }
    })
  }

  it('tell of a body that breaks off', async () => {
    const app = serve(readJson)
    app.addHook('preParsing', async () => Readable.from(brokenOff()))
    const answer = await post(app, '"abc"')
    assert.equal(answer.statusCode, 400)
    assert.equal(answer.json().message, 'The body did not arrive whole: gone')
  })
})

function* brokenOff(): Generator<Buffer> {
  yield Buffer.from('"a')
  throw new Error('gone')
}
