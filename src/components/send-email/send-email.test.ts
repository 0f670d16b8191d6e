import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { AUTHORITY, OTHER_HOST, SELF_SIGNED } from '../../../test/support/certificates.ts'
import {
  type MailServer,
  type MailServerOptions,
  type Refusal,
  startMailServer
} from '../../../test/support/mail-server.ts'
import { readAllowRule } from '../../egress/allow-list.ts'
import { Egress } from '../../egress/egress.ts'
import { StepError } from '../../engine/step-error.ts'
import type { OpenConnection } from '../../plugin-api.ts'
import { runStepInTurns } from '../step.test-kit.ts'
import type { GuardedSocket } from './bound-answers.ts'
import { boundAnswers } from './bound-answers.ts'
import { mailError } from './mail-errors.ts'
import { MailSession } from './mail-session.ts'
import { sendEmail } from './send-email.ts'
import { tryMailServer } from './try-mail-server.ts'

const PASSWORD = 'correct horse'
const ENVELOPE = { from: 'a@shop.example', to: ['b@mail.example'], size: 20 }

interface Result {
  readonly message_id: string
  readonly accepted: string[]
  readonly rejected: string[]
  readonly refusals: { address: string; response: string }[]
  readonly response: string
}

interface Mailing {
  readonly server: MailServer
  readonly connection: OpenConnection
  send(fields: object, data?: unknown): Promise<Result>
  failure(fields: object, data?: unknown): Promise<Pick<StepError, 'code' | 'message' | 'retryable'>>
}

async function begin(
  t: TestContext,
  options: MailServerOptions = {},
  settings: object = {},
  given: { readonly password?: string; readonly allow?: number } = {}
): Promise<Mailing> {
  const server = await startMailServer(t, options)
  const egress = new Egress({ allow: [readAllowRule(`127.0.0.1:${given.allow ?? server.port}`)] })
  const { password } = options
  const connection = {
    name: 'mail',
    kind: 'smtp',
    settings: {
      host: '127.0.0.1',
      port: server.port,
      from: 'Shop <orders@shop.example>',
      ca: AUTHORITY,
      ...(password !== undefined && { user: 'ann' }),
      ...settings
    },
    secrets: { ...(password !== undefined && { password: given.password ?? password }) },
    socket: () => egress.socket()
  } as unknown as OpenConnection
  const send: Mailing['send'] = async (fields, data = {}) => {
    const { outputs } = await runStepInTurns(sendEmail, {
      fields: { connection: 'mail', to: 'bob@mail.example', ...fields },
      inputs: { data },
      connection: () => connection
    })
    return outputs.result as Result
  }
  const failure: Mailing['failure'] = async (fields, data) => {
    try {
      await send(fields, data)
    } catch (error) {
      assert.ok(error instanceof StepError, String(error))
      const { code, message, retryable } = error
      return { code, message, retryable }
    }
    return assert.fail('the mail was sent')
  }
  return { server, connection, send, failure }
}

describe('Send e-mail', () => {
  it('sends text, HTML and attachments, encrypted by STARTTLS and signed in', async (t) => {
    const { server, send } = await begin(t, { password: PASSWORD })
    const result = await send(
      {
        to: '{name} <{email}>, team@shop.example',
        cc: '{others}',
        bcc: 'boss@shop.example',
        reply_to: 'help@shop.example',
        subject: 'Order {id} für {name}',
        text: 'Hello {name}',
        html: '<p>Hello {name}</p>',
        attachments: [
          { name: 'order.json', content: '{order}' },
          { name: 'a.bin', content: '{bytes}', type: 'application/x-thing', base64: true }
        ]
      },
      {
        name: 'Smith, "Jo" <b>',
        email: 'jo@mail.example',
        id: 7,
        others: ['x@mail.example', { name: 'Y', email: 'y@mail.example' }],
        order: { total: 3 },
        bytes: 'AAEC'
      }
    )
    const all = [
      'jo@mail.example',
      'team@shop.example',
      'x@mail.example',
      'y@mail.example',
      'boss@shop.example'
    ]
    assert.deepEqual(result, {
      message_id: '<run-1.send-email-1@shop.example>',
      accepted: all,
      rejected: [],
      refusals: [],
      response: '250 Taken as 42'
    })
    const [mail] = server.mails
    assert.partialDeepStrictEqual(mail, {
      from: 'orders@shop.example',
      to: all,
      user: 'ann',
      isEncrypted: true
    })
    for (const part of [
      'From: Shop <orders@shop.example>',
      'To: "Smith, \\"Jo\\" <b>" <jo@mail.example>, team@shop.example',
      'Cc: x@mail.example, Y <y@mail.example>',
      'Reply-To: help@shop.example',
      'Message-ID: <run-1.send-email-1@shop.example>',
      'Auto-Submitted: auto-generated',
      'Subject: =?UTF-8?Q?Order_7_f=C3=BCr_Smith',
      'Hello Smith, "Jo" <b>',
      '<p>Hello Smith, &quot;Jo&quot; &lt;b&gt;</p>',
      'filename=order.json',
      'application/x-thing',
      'AAEC'
    ])
      assert.ok(mail!.source.includes(part), `${part} is not in\n${mail!.source}`)
    assert.ok(!/^bcc/im.test(mail!.source), 'nobody sees who else gets it')
  })

  it('begins with TLS where the connection says so', async (t) => {
    const { server, send } = await begin(t, { tls: 'at once', password: PASSWORD }, { secure: true })
    await send({})
    assert.equal(server.mails[0]!.isEncrypted, true)
  })

  it('never sends a password in the clear, not even on this machine', async (t) => {
    const { server, connection, failure } = await begin(
      t,
      { tls: 'none', password: PASSWORD },
      { allow_plain: true }
    )
    assert.partialDeepStrictEqual(await failure({}), { code: 'tls_not_offered', retryable: false })
    await assert.rejects(tryMailServer(connection, new AbortController().signal), { code: 'tls_not_offered' })
    assert.equal(server.mails.length, 0)
  })

  it('sends without encryption to this machine alone, unless the connection allows it', async (t) => {
    const { server, send } = await begin(t, { tls: 'none' })
    await send({})
    assert.equal(server.mails[0]!.isEncrypted, false)
    // As if it came from elsewhere: the address that the socket reports is what counts.
    const far = await begin(t, { tls: 'none' })
    const socket = far.connection.socket
    Object.assign(far.connection, {
      socket: () => Object.defineProperty(socket(), 'remoteAddress', { value: '192.0.2.1' })
    })
    assert.equal((await far.failure({})).code, 'tls_not_offered')
    Object.assign(far.connection.settings, { allow_plain: true })
    await far.send({})
  })

  it('checks the certificate', async (t) => {
    for (const [certificate, words] of [
      [SELF_SIGNED, /is not one that this machine trusts/],
      [OTHER_HOST, /is for another host/]
    ] as const) {
      const { server, failure } = await begin(t, { certificate })
      const { code, message } = await failure({})
      assert.equal(code, 'certificate_invalid', message)
      assert.match(message, words)
      assert.equal(server.mails.length, 0)
    }
  })

  it('says what is wrong where TLS is expected at another moment', async (t) => {
    const early = await begin(t, { tls: 'none' }, { secure: true })
    assert.equal((await early.failure({})).code, 'tls_failed')
  })

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
