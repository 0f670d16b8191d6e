import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { TLSSocket } from 'node:tls'
import { AUTHORITY, VALID } from '../../../test/support/certificates.ts'
import { readFailure } from '../../engine/step-error.ts'
import { ask, failure, openConnection } from './databases.test-kit.ts'
import { databaseResource } from './open-database.ts'

/** Says what it likes, whatever it is asked. */
type Serve = (peer: Socket) => void

async function begin(t: TestContext, kind: 'postgres' | 'mysql', serve: Serve, settings: object = {}) {
  const peers: Socket[] = []
  const server = createServer((peer) => {
    peers.push(peer.on('error', () => {}))
    serve(peer)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const met = once(server, 'connection') as Promise<[Socket]>
  const { port } = server.address() as AddressInfo
  const connection = { host: '127.0.0.1', port, user: 'u', database: 'd', ...settings }
  const database = await databaseResource.open(openConnection(kind, connection, { password: 'secret' }))
  t.after(async () => {
    await database.close()
    for (const peer of peers) peer.destroy()
    server.close()
  })
  return { database, peers, met }
}

/** However it ended. */
function closed(peer: Socket): Promise<unknown> {
  return peer.closed ? Promise.resolve() : new Promise((resolve) => peer.on('close', resolve))
}

function integer(bytes: number, value: number): Buffer {
  const written = Buffer.alloc(bytes)
  written.writeUIntBE(value, 0, bytes)
  return written
}

function joined(parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
}

/** A message of PostgreSQL. */
function message(letter: string, ...parts: (string | Buffer)[]): Buffer {
  const body = joined(parts)
  return joined([letter, integer(4, body.length + 4), body])
}

const READY = message('Z', 'I')
const SIGNED_IN = joined([message('R', integer(4, 0)), message('K', Buffer.alloc(8)), READY])
/** To the messages before the query, and of one column of texts. */
const BEGUN = joined([
  ...[message('1'), message('2'), message('C', 'BEGIN\0'), message('1'), message('2'), message('C', 'SET\0')],
  ...[
    message('1'),
    message('2'),
    message('T', integer(2, 1), 'a\0', Buffer.alloc(6), integer(4, 25), Buffer.alloc(8))
  ]
])
const ANNOUNCED = 2 ** 31 - 1

/** Signs in, and answers the first query so. */
const answering =
  (...parts: (string | Buffer)[]): Serve =>
  (peer) => {
    let heard = 0
    peer.on('data', () => {
      heard += 1
      if (heard === 1) peer.write(SIGNED_IN)
      else if (heard === 2) peer.write(joined(parts))
    })
  }

const atOnce =
  (...parts: (string | Buffer)[]): Serve =>
  (peer) =>
    void peer.once('data', () => peer.write(joined(parts)))

/** The same, behind TLS as PostgreSQL begins it. */
const encrypted =
  (serve: Serve): Serve =>
  (peer) =>
    void peer.once('data', () => {
      peer.write('S')
      serve(new TLSSocket(peer, { isServer: true, ...VALID }).on('error', () => {}))
    })

const MALFORMED: Readonly<Record<string, Serve>> = {
  'an authentication without its code': atOnce(message('R')),
  'a length that counts less than itself': atOnce('R', integer(4, 3)),
  'a sign-in that ends before it began': atOnce(message('R', integer(4, 12), 'v=x')),
  'a row that lies about its fields': answering(
    BEGUN,
    message('D', integer(2, 65_535), integer(4, 5), 'abc')
  ),
  'a row with a negative length': answering(
    BEGUN,
    message('D', integer(2, 2), integer(4, 0xfffffff0), 'abc')
  ),
  'a row that nobody described': answering(message('D', integer(2, 1), integer(4, 1), 'a')),
  'a description without a body': answering(message('T')),
  'a message of 2 GB before it is asked': atOnce('N', integer(4, ANNOUNCED), 'x'),
  'questions for a password without end': atOnce(...Array(10_000).fill(message('R', integer(4, 3))))
}

describe('a PostgreSQL server that answers what none would', () => {
  for (const [what, serve] of Object.entries(MALFORMED))
    for (const [way, served, settings] of [
      ['', serve, {}],
      [', encrypted', encrypted(serve), { ssl: true, ca: AUTHORITY }]
    ] as const)
      it(`fails the query and nothing else: ${what}${way}`, async (t) => {
        const { database, peers } = await begin(t, 'postgres', served, settings)
        const { code, retryable, message } = await failure(ask(database, 'select 1'))
        assert.deepEqual([code, retryable], ['upstream_malformed', false], message)
        await Promise.all(peers.map(closed))
      })

  for (const letter of ['D', 'T', 'E'])
    it(`is not heard to the end of a message larger than a step may put out: ${letter}`, async (t) => {
      const { database, peers } = await begin(t, 'postgres', answering(BEGUN, letter, integer(4, ANNOUNCED)))
      const { code, retryable } = await failure(ask(database, 'select 1'))
      assert.deepEqual([code, retryable], ['output_too_large', false])
      await Promise.all(peers.map(closed))
    })

  it('is not given the word for longer than the step has time', async (t) => {
    for (const serve of [atOnce('N'), answering(BEGUN, 'D')]) {
      const { database, met } = await begin(t, 'postgres', serve)
      const end = new AbortController()
      const asking = ask(database, 'select 1', { signal: end.signal })
      const [peer] = await met
      const ended = closed(peer)
      end.abort(new Error('late'))
      await assert.rejects(asking, /late/)
      await ended
    }
  })

  it('is not waited for to undo what failed', async (t) => {
    const refused = answering(message('E', 'SERROR\0C42601\0MNo\0\0'), READY)
    const end = new AbortController()
    const { database, peers } = await begin(t, 'postgres', (peer) => {
      refused(peer)
      let heard = 0
      peer.on('data', () => {
        heard += 1
        // It is asked to undo, and never answers.
        if (heard === 3) end.abort(new Error('late'))
      })
    })
    const asking = ask(database, 'select 1', { signal: end.signal })
    await assert.rejects(asking, /late/)
    await Promise.all(peers.map(closed))
  })

  it('is quoted with the beginning and the end of its words', async (t) => {
    const long = 'a'.repeat(1_500_000)
    const error = message('E', `SERROR\0C42601\0M${long}\0D${long.slice(0, 400_000)}\0\0`)
    const { database } = await begin(
      t,
      'postgres',
      answering(error, READY, message('C', 'ROLLBACK\0'), READY)
    )
    const thrown = await failure(ask(database, 'select 1'))
    assert.equal(thrown.code, 'sql_syntax')
    assert.ok(thrown.message.length < 40_000, String(thrown.message.length))
    assert.match(readFailure(thrown).message, /^PostgreSQL says: a{1300,1400} … a+/)
  })
})

function packet(number: number, ...parts: (string | Buffer)[]): Buffer {
  const body = joined(parts)
  const header = Buffer.from([0, 0, 0, number])
  header.writeUIntLE(body.length, 0, 3)
  return joined([header, body])
}

const HELLO = packet(
  0,
  ...[
    '\x0a8.0.30\0',
    Buffer.from([1, 0, 0, 0]),
    'abcdefgh\0',
    Buffer.from([0xff, 0xf7, 0x2d, 2, 0, 0xff, 0xdf, 21])
  ],
  ...[Buffer.alloc(10), 'abcdefghijkl\0', 'mysql_native_password\0']
)
const okay = (number: number) => packet(number, Buffer.from([0, 0, 0, 2, 0, 0, 0]))
const LONGEST = joined([Buffer.from([255, 255, 255, 1]), Buffer.alloc(100_000)])

/** Signs in, says yes to what comes before the query, and answers that so. */
const answeringMySql =
  (...parts: (string | Buffer)[]): Serve =>
  (peer) => {
    let heard = 0
    peer.write(HELLO)
    peer.on('data', () => {
      heard += 1
      if (heard === 4) peer.write(joined(parts))
      else peer.write(okay(heard === 1 ? 2 : 1))
    })
  }

describe('a MySQL server that answers what none would', () => {
  const rows: [what: string, serve: Serve, code: string][] = [
    ['first words without a word', (peer) => void peer.write(packet(0)), 'upstream_malformed'],
    ['a packet of 16 MB as first words', (peer) => void peer.write(LONGEST), 'upstream_malformed'],
    ['words before it is asked, without end', answeringFlood, 'upstream_malformed'],
    ['a packet of 16 MB to a query', answeringMySql(LONGEST), 'output_too_large'],
    ['an error of one byte', answeringMySql(packet(1, Buffer.from([0xff]))), 'upstream_malformed']
  ]
  for (const [what, serve, code] of rows)
    it(`fails the query and nothing else: ${what}`, async (t) => {
      const { database, peers } = await begin(t, 'mysql', serve)
      const thrown = await failure(ask(database, 'select 1'))
      assert.deepEqual([thrown.code, thrown.retryable], [code, false], thrown.message)
      await Promise.all(peers.map(closed))
    })

  it('is quoted with the beginning and the end of its words', async (t) => {
    const error = packet(1, Buffer.from([0xff, 0x28, 4]), '#42000', 'a'.repeat(1_500_000))
    const { database } = await begin(t, 'mysql', answeringMySql(error))
    const thrown = await failure(ask(database, 'select 1'))
    assert.equal(thrown.code, 'sql_syntax')
    assert.ok(thrown.message.length < 40_000, String(thrown.message.length))
  })

  it('writes nothing into the log, in whatever order its packets come', async (t) => {
    const error = t.mock.method(console, 'error', () => {})
    const refusal = packet(77, Buffer.from([0xff, 0x28, 4]), '#42000', 'No')
    const { database } = await begin(t, 'mysql', answeringMySql(refusal))
    assert.equal((await failure(ask(database, 'select 1'))).code, 'sql_syntax')
    assert.equal(error.mock.callCount(), 0)
  })
})

function answeringFlood(peer: Socket): void {
  peer.write(HELLO)
  peer.on('data', () => peer.write(joined(Array(10_000).fill(okay(1)))))
}
