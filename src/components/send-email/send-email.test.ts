import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OTHER_HOST, SELF_SIGNED } from '../../../test/support/certificates.ts'
import { testFiles } from '../step-files.test-kit.ts'
import { begin, PASSWORD } from './mailing.test-kit.ts'
import { tryMailServer } from './try-mail-server.ts'

describe('Send e-mail', () => {
  it('attaches files, alone or under another name, and bytes as answers give them', async (t) => {
    const files = await testFiles(t)
    const { server, send, failure } = await begin(t, {}, {}, { files })
    const bytes = Buffer.from([0, 1, 2, 255])
    const scan = await files.add(bytes, { filename: 'scan.pdf', contentType: 'application/pdf' })
    const inline = { base64: 'AAEC', content_type: 'image/png', filename: 'dot.png', size: 3 }
    const attachments = ['{scan}', { name: 'renamed.bin', content: '{scan}', type: 'x/y' }, '{inline}']
    await send({ attachments }, { scan, inline })
    const { source } = server.mails[0]!
    for (const part of ['application/pdf; name=scan.pdf', 'x/y; name=renamed.bin', 'image/png; name=dot.png'])
      assert.ok(source.includes(`Content-Type: ${part}`), part)
    assert.equal(source.split(bytes.toString('base64')).length, 3, 'the bytes of the file, twice')
    await send({ attachments: '{files}' }, { files: [scan] })
    assert.match(server.mails[1]!.source, /scan\.pdf/)
    const large = await files.add(Buffer.alloc(13 * 1024 ** 2))
    const two = [large, large].map((file) => ({ ...file, size: 1 }))
    assert.equal((await failure({ attachments: '{two}' }, { two })).code, 'message_too_large')
    const nobodys = { ...scan, file: `file_${'x'.repeat(22)}` }
    assert.equal((await failure({ attachments: ['{nobodys}'] }, { nobodys })).code, 'file_not_found')
    assert.equal(server.mails.length, 2)
  })

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
