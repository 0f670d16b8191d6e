import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OTHER_HOST, SELF_SIGNED } from '../../../test/support/certificates.ts'
import { begin, PASSWORD } from './mailing.test-kit.ts'
import { tryMailServer } from './try-mail-server.ts'

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
})
