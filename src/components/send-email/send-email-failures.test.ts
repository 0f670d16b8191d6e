import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import type { Refusal } from '../../../test/support/mail-server.ts'
import type { GuardedSocket } from './bound-answers.ts'
import { boundAnswers } from './bound-answers.ts'
import { mailError } from './mail-errors.ts'
import { MailSession } from './mail-session.ts'
import { begin, PASSWORD } from './mailing.test-kit.ts'
import { tryMailServer } from './try-mail-server.ts'

const ENVELOPE = { from: 'a@shop.example', to: ['b@mail.example'], size: 20 }

describe('a mail that is not sent', () => {
  it('tells a refused sign-in', async (t) => {
    const { connection, failure } = await begin(t, { password: PASSWORD }, {}, { password: 'wrong' })
    const refused = await failure({})
    assert.partialDeepStrictEqual(refused, { code: 'mail_sign_in_refused', retryable: false })
    assert.match(refused.message, /Check user and password/)
    await assert.rejects(tryMailServer(connection, new AbortController().signal), {
      code: 'mail_sign_in_refused'
    })
  })

  it('tells what may pass from what does not', async (t) => {
    let refusal: Refusal = [451, 'Later']
    const { failure } = await begin(t, { refuse: ({ mail }) => (mail === undefined ? undefined : refusal) })
    assert.partialDeepStrictEqual(await failure({}), { code: 'mail_deferred', retryable: true })
    refusal = [550, 'Spam']
    const refused = await failure({})
    assert.partialDeepStrictEqual(refused, { code: 'mail_refused', retryable: false })
    assert.match(refused.message, /said: 550 Spam/)
  })

  it('succeeds where some recipients are refused, and fails where all are', async (t) => {
    const answers: Record<string, Refusal> = {
      'no@mail.example': [550, 'Nobody'],
      'later@mail.example': [450, 'Busy']
    }
    const { server, send, failure } = await begin(t, {
      refuse: ({ recipient = '' }) => answers[recipient]
    })
    const { accepted, rejected, refusals } = await send({ to: 'bob@mail.example, no@mail.example' })
    assert.deepEqual([accepted, rejected], [['bob@mail.example'], ['no@mail.example']])
    assert.deepEqual(refusals, [{ address: 'no@mail.example', response: '550 Nobody' }])
    assert.partialDeepStrictEqual(await failure({ to: 'no@mail.example' }), {
      code: 'recipients_refused',
      retryable: false
    })
    assert.partialDeepStrictEqual(await failure({ to: 'no@mail.example, later@mail.example' }), {
      code: 'mail_deferred',
      retryable: true
    })
    assert.equal(server.mails.length, 1)
  })

  it('ends with its step, in the middle of a mail', async (t) => {
    const abort = new AbortController()
    const { server, connection } = await begin(t, { beforeTaken: () => new Promise(() => {}) })
    const session = MailSession.with(connection, abort.signal, async (session) => {
      const sending = session.send(ENVELOPE, Buffer.from('Subject: x\r\n\r\nx'))
      await server.took(1)
      abort.abort(new Error('over'))
      return sending
    })
    await assert.rejects(session, { code: 'upstream_cut_off' })
    await assert.rejects(tryMailServer(connection, abort.signal))
  })

  it('tells a server that is not a mail server, one that hangs up, and an address that steps may not reach', async (t) => {
    for (const [words, code] of [
      ['SSH-2.0-OpenSSH\r\n', 'not_a_mail_server'],
      ['', 'upstream_cut_off'],
      ['554 Not you\r\n', 'mail_refused'],
      ['421 Too many\r\n', 'mail_deferred']
    ] as const) {
      const other = createServer((socket) => socket.end(words))
      t.after(() => other.close())
      await once(other.listen(0, '127.0.0.1'), 'listening')
      const { port } = other.address() as AddressInfo
      const { failure } = await begin(t, {}, { port }, { allow: port })
      assert.equal((await failure({})).code, code, words)
    }
    const late = Object.assign(new Error('late'), { code: 'ETIMEDOUT', timeoutType: 'GREETING_TIMEOUT' })
    const silent = mailError(late, 'mail.example')
    assert.deepEqual([silent.code, silent.retryable], ['upstream_timeout', true])
    assert.match(silent.message, /whether TLS begins at once/)
    const { failure } = await begin(t, {}, { port: 1 })
    assert.equal((await failure({})).code, 'egress_refused')
  })

  it('hears no more of a server than a mail takes', async (t) => {
    const floods: [greeting: string, then: string][] = [
      ['\r\n'.repeat(20_000), ''],
      ['220-on and on\r\n'.repeat(20_000), ''],
      ['220 Hello\r\n', '250-on and on\r\n'.repeat(20_000)],
      ['220 Hello\r\n', 'x'.repeat(2_000_000)]
    ]
    for (const [greeting, then] of floods) {
      const peers: Socket[] = []
      const other = createServer((peer) => {
        peers.push(peer.on('error', () => {}))
        peer.write(greeting)
        peer.once('data', () => peer.write(then))
      })
      t.after(() => other.close())
      await once(other.listen(0, '127.0.0.1'), 'listening')
      const { port } = other.address() as AddressInfo
      const { failure } = await begin(t, {}, { port }, { allow: port })
      const { code, retryable } = await failure({})
      assert.deepEqual([code, retryable], ['not_a_mail_server', false], greeting.slice(0, 20))
      const [peer] = peers
      if (!peer!.closed) await new Promise((resolve) => peer!.on('close', resolve))
    }
  })

  it('leaves its library nothing to do when the session is over, and no throw in a turn of its own', () => {
    const socket = { guard: () => {} } as unknown as GuardedSocket
    const errors: unknown[] = []
    let taken = 0
    const smtp = {
      _destroyed: false,
      _responseQueue: ['250 a', '250 b'],
      _remainder: 'c',
      _processResponse: () => {
        taken++
        throw new TypeError('no answer')
      },
      _onError: (error: unknown) => errors.push(error)
    }
    boundAnswers(smtp as never, socket, 'mail.example')
    smtp._processResponse()
    assert.match(String(errors), /no answer/)
    smtp._destroyed = true
    smtp._processResponse()
    assert.deepEqual([taken, smtp._responseQueue, smtp._remainder], [1, [], ''])
  })
})
