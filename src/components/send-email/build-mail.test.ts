import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../test/support/any-text.ts'
import { StepError } from '../../engine/step-error.ts'
import { resolveFields } from '../../flows/component/component.ts'
import { atOnce } from '../../flows/in-turns.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { buildMail, prepareMail } from './build-mail.ts'
import { sendEmail } from './send-email.ts'

type Values = Parameters<typeof prepareMail>[0]

function valuesOf(fields: object): Values {
  return resolveFields(sendEmail, { to: 'bob@mail.example', ...fields }) as unknown as Values
}

function mailOf(fields: object, data: { [key: string]: JsonValue } = {}) {
  const building = buildMail(prepareMail(valuesOf(fields)), {
    scope: { data, variables: {} },
    sender: 'orders@shop.example',
    idempotencyKey: 'r1/mail',
    now: 0
  })
  return atOnce(building)
}

function codeOf(fields: object, data: { [key: string]: JsonValue } = {}): string {
  try {
    mailOf(fields, data)
  } catch (error) {
    assert.ok(error instanceof StepError && !error.retryable, String(error))
    return error.code
  }
  return 'none'
}

const faultsOf = (fields: object) => sendEmail.check!(valuesOf(fields)).map(({ field }) => field)

describe('the addresses of a mail', () => {
  it('are made of what the author wrote; a value fills one place', () => {
    const { to } = mailOf(
      { to: '{name} <{email}>; "Lee, Jo" <jo@mail.example>\nteam@shop.example' },
      { name: 'A, B <x@y.example>', email: ' ann@mail.example ' }
    )
    assert.deepEqual(to, [
      { name: 'A, B <x@y.example>', address: 'ann@mail.example' },
      { name: 'Lee, Jo', address: 'jo@mail.example' },
      { name: '', address: 'team@shop.example' }
    ])
    const injected = { email: 'ann@mail.example>, <evil@mail.example' }
    assert.equal(codeOf({ to: 'Ann <{email}>' }, injected), 'recipient_invalid')
  })

  it('may be a list where a value stands alone', () => {
    const list = ['a@mail.example', { name: 'B', address: 'b@mail.example' }, null]
    assert.deepEqual(mailOf({ to: '{list}, c@mail.example' }, { list }).to, [
      { name: '', address: 'a@mail.example' },
      { name: 'B', address: 'b@mail.example' },
      { name: '', address: 'c@mail.example' }
    ])
    assert.equal(mailOf({ to: '{two}' }, { two: 'a@mail.example, b@mail.example' }).to.length, 2)
  })

  it('never hold a line break: no value adds a header', () => {
    const injected = 'ann@mail.example\r\nBcc: evil@mail.example'
    for (const field of ['to', 'cc', 'bcc', 'reply_to', 'from', 'subject']) {
      assert.equal(codeOf({ [field]: '{it}' }, { it: injected }), 'header_invalid', field)
    }
    assert.equal(codeOf({ to: '{it} <a@mail.example>' }, { it: injected }), 'header_invalid')
    assert.equal(codeOf({ attachments: [{ name: '{it}', content: '' }] }, { it: injected }), 'header_invalid')
  })

  it('are as many as the author wrote, whatever a value holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), anyText(), (name, email) => {
        try {
          const { to } = mailOf({ to: '"{name}" <{email}>, b@mail.example' }, { name, email })
          assert.equal(to.length, 2)
          assert.match(to[0]!.address, /^[^\s@,;<>]+@[^\s@,;<>]+$/)
        } catch (error) {
          assert.ok(error instanceof StepError, String(error))
        }
      }),
      { numRuns: 30 }
    )
  })

  it('are refused where they are not addresses, with what to write', () => {
    for (const to of ['ann', 'ann@', '@shop.example', 'ann@@shop.example', 'a b@shop.example', '{it}@'])
      assert.equal(codeOf({ to }, { it: 'x' }), 'recipient_invalid', to)
    assert.equal(codeOf({ to: '{it?}' }), 'recipient_missing')
    assert.equal(codeOf({ from: 'a@shop.example, b@shop.example' }), 'sender_invalid')
    assert.deepEqual(faultsOf({ to: ' ' }), ['to'])
    assert.deepEqual(faultsOf({ cc: 'nobody', text: '{' }), ['text', 'cc'])
    assert.deepEqual(faultsOf({ to: 'Ann <ann@shop.example>,\nbob@shop.example' }), [])
  })
})

describe('the content of a mail', () => {
  it('is escaped where it is HTML, unless one value is all of it', () => {
    const data = { it: '<b>&"\'' }
    assert.equal(mailOf({ html: '<p>{it}</p>' }, data).html, '<p>&lt;b&gt;&amp;&quot;&#39;</p>')
    assert.equal(mailOf({ html: '{it}' }, data).html, data.it)
    assert.equal(mailOf({ text: '{it}!' }, data).text, `${data.it}!`)
  })

  it('takes a list of attachments from the data', () => {
    const files = [
      { name: 'a.csv', content: 'a,b' },
      { name: 'b.bin', content: 'AAE=', base64: true }
    ]
    const { attachments } = mailOf({ attachments: '{files}' }, { files })
    assert.deepEqual(
      attachments.map(({ filename, content, isBase64 }) => [filename, content, isBase64]),
      [
        ['a.csv', 'a,b', false],
        ['b.bin', 'AAE=', true]
      ]
    )
    const codeOfAttachment = (it: JsonValue) => codeOf({ attachments: '{it}' }, { it })
    assert.equal(
      codeOfAttachment([{ name: 'a', content: 'no base64!', base64: true }]),
      'attachment_not_base64'
    )
    assert.equal(codeOfAttachment([{ content: 'x' }]), 'attachment_invalid')
    assert.equal(codeOfAttachment(['x']), 'attachment_invalid')
    assert.equal(codeOfAttachment([{ name: 'a', content: '', type: 'a/b\r\nX: y' }]), 'attachment_invalid')
    assert.equal(codeOfAttachment([{ name: 'a', content: 'x'.repeat(26 * 1024 ** 2) }]), 'message_too_large')
  })

  it('is bounded, texts included', () => {
    const half = 'x'.repeat(13 * 1024 ** 2)
    assert.equal(codeOf({ text: '{half}' }, { half }), 'none')
    assert.equal(codeOf({ text: '{half}', html: '{half}' }, { half }), 'message_too_large')
  })

  it('goes to a bounded number of people, whatever list the data holds', () => {
    const people = Array.from({ length: 1_001 }, (_, at) => `a${at}@b.example`)
    assert.equal(codeOf({ to: '{people}' }, { people }), 'recipients_too_many')
    assert.equal(codeOf({ to: '{people}' }, { people: people.slice(1) }), 'none')
    assert.equal(codeOf({ to: '{people}' }, { people: people.join().repeat(10) }), 'template_bad_value')
    assert.equal(codeOf({ subject: 'On {people}' }, { people }), 'template_bad_value')
  })

  it('has the same Message-ID for the same step, in the domain of its sender', () => {
    assert.equal(mailOf({}).messageId, '<r1.mail@shop.example>')
    assert.equal(mailOf({ from: 'Ä <a@bücher.example>' }).messageId, '<r1.mail@xn--bcher-kva.example>')
  })
})

describe('what the reader of a mail sees', () => {
  const total = 98001

  it('is what the author wrote, whatever signs of direction a value holds', () => {
    const customer = 'Ann\u202e\u200b'
    const fields = {
      subject: '{customer}: {total} €',
      text: '{customer}: {total} €',
      html: '<b>{customer}</b>{total}'
    }
    const mail = mailOf(fields, { customer, total })
    assert.equal(mail.subject, 'Ann: 98001 €')
    assert.equal(mail.text, 'Ann: 98001 €')
    assert.equal(mail.html, '<b>Ann</b>98001')
  })

  it('keeps values in their places beside letters from right to left, and addresses whole', () => {
    const data = { customer: 'אב', total, link: 'https://shop.example/7' }
    const apart = '\u2068אב\u2069: \u206898001\u2069 €'
    assert.equal(mailOf({ subject: '{customer}: {total} €' }, data).subject, apart)
    const text = '{customer}: {total} €\nhttps://shop.example/{customer}?n={total}\n{link}'
    assert.equal(
      mailOf({ text }, data).text,
      `${apart}\nhttps://shop.example/אב?n=98001\nhttps://shop.example/7`
    )
    const html = '<a title="{customer}" href="https://shop.example/{customer}">{customer}</a> {total}'
    assert.equal(
      mailOf({ html }, data).html,
      '<a title="אב" href="https://shop.example/אב">\u2068אב\u2069</a> \u206898001\u2069'
    )
  })

  it('is true in names of people and of files; an address holds no such sign', () => {
    const mail = mailOf(
      {
        to: '{name} <{email}>',
        attachments: [{ name: 'order{name}.txt', content: '{name}' }]
      },
      { name: 'Ann\u202efdp', email: 'ann@mail.example' }
    )
    assert.equal(mail.to[0]!.name, 'Annfdp')
    assert.equal(mail.attachments[0]!.filename, 'orderAnnfdp.txt')
    assert.equal(mail.attachments[0]!.content, 'Ann\u202efdp', 'what is in a file is for machines too')
    assert.equal(codeOf({ to: '{email}' }, { email: 'a\u202e@mail.example' }), 'recipient_invalid')
  })
})
