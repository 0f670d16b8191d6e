import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ExactNumber, type JsonValue } from '../json/exact-json.ts'
import { isPicture, readForm, thanksFault, thanksOf } from './form.ts'
import { formFieldFaults, readFormFields } from './form-fields.ts'
import { EMPTY_FORM, formHtml, thanksHtml } from './form-html.ts'
import { formStyle } from './form-style.ts'
import { type Answer, AnsweredFile, readAnswers } from './read-answers.ts'

const FIELDS = readFormFields([
  { name: 'name', label: 'Your name', type: 'text', required: true },
  { name: 'text', type: 'long text' },
  { name: 'amount', type: 'number' },
  { name: 'email', type: 'email', help: 'We answer there.' },
  { name: 'day', type: 'date' },
  { name: 'size', type: 'choice', required: true, choices: ['Small', 'Large'] },
  { name: 'terms', type: 'checkbox', required: true },
  { name: 'cv', type: 'file' }
])

const ONE_FILE = { file: 'file_x', filename: 'cv.pdf', content_type: 'application/pdf', size: 3 }
const SOUND = { name: 'Ada', size: 'Small', terms: 'true' }

const read = (sent: Readonly<Record<string, Answer | readonly Answer[]>>) =>
  readAnswers(FIELDS, { ...SOUND, ...sent })

describe('what was sent by a form', () => {
  it('has a value of its type for every field', () => {
    const { data, faults } = read({
      name: ' Ada ',
      text: 'a\r\nb',
      amount: '12345678901234567890.10',
      email: 'ada@example.com',
      day: '2024-02-29',
      cv: new AnsweredFile(ONE_FILE),
      other: 'dropped'
    })
    assert.deepEqual(faults, [])
    assert.deepEqual(data, {
      name: 'Ada',
      text: 'a\nb',
      amount: new ExactNumber('12345678901234567890.10'),
      email: 'ada@example.com',
      day: '2024-02-29',
      size: 'Small',
      terms: true,
      cv: ONE_FILE
    })
  })

  it('is null where a field was left empty', () => {
    const { data, faults } = readAnswers(FIELDS, { ...SOUND, text: '  ', amount: '' })
    assert.deepEqual(faults, [])
    const { text, amount, email, day, cv } = data
    assert.deepEqual([text, amount, email, day, cv], [null, null, null, null, null])
  })

  it('is refused by the field where it does not fit', () => {
    const { faults } = read({
      name: ' ',
      amount: '1,5',
      email: 'ada@',
      day: '2023-02-29',
      size: 'Huge',
      terms: '',
      cv: { file: 'file_stolen' }
    })
    const named = faults.map(({ name, message }) => `${name}: ${message.split('.', 1)[0]}`)
    assert.deepEqual(named, [
      'name: Fill this in',
      'amount: Write a number, such as 12',
      'email: Write an email address, such as ada@example',
      'day: Write a date as year, month and day: 2026-03-31',
      'size: Choose one of those that are there',
      'terms: Tick this to go on',
      'cv: Send the file itself, as multipart/form-data'
    ])
  })

  it('has one answer for each field', () => {
    assert.deepEqual(read({ size: ['Small', 'Large'] }).faults, [{ name: 'size', message: 'Choose one.' }])
    assert.deepEqual(read({ size: ['', 'Large'] }).data.size, 'Large')
  })

  for (const [sent, number] of [
    ['007', 7],
    ['+.5', 0.5],
    ['-3.', -3],
    ['1e3', new ExactNumber('1e3')]
  ] as const) {
    it(`is a number where it is ${sent}`, () => assert.deepEqual(read({ amount: sent }).data.amount, number))
  }

  it('is read whatever it is', () => {
    const answer = fc.oneof(
      fc.json().map((text) => JSON.parse(text) as JsonValue),
      fc.string()
    )
    const sent = fc.dictionary(fc.constantFrom('__proto__', ...FIELDS.map(({ name }) => name)), answer)
    fc.assert(
      fc.property(sent, (each) => {
        const { data } = readAnswers(FIELDS, each as never)
        assert.deepEqual(
          Object.keys(data),
          FIELDS.map(({ name }) => name)
        )
      })
    )
  })
})

describe('the fields of a form', () => {
  for (const [fields, fault] of [
    [{}, /not a list/],
    [[], /asks for nothing/],
    [['name'], /Field 1 is not an object/],
    [[{ type: 'text' }], /Field 1 has no name/],
    [[{ name: '_key' }], /Field 1 \(_key\) has a name that is no key/],
    [[{ name: 'a' }, { name: 'a ' }], /Field 2 \(a\) has a name that another field has/],
    [[{ name: 'a', type: 'colour' }], /the type "colour". Use one of: text,/],
    [[{ name: 'a', type: 'choice' }], /nothing to choose from/],
    [[{ name: 'a', type: 'choice', choices: ['x', 'x'] }], /same choice twice/],
    [[{ name: 'a', type: 'choice', choices: 'x' }], /not a list of texts/],
    [[{ name: 'a', requird: true }], /"requird", which means nothing/]
  ] as const) {
    it(`are refused where they are ${JSON.stringify(fields)}`, () =>
      assert.match(formFieldFaults(fields as unknown as JsonValue).join(), fault))
  }

  it('may be named in any language', () =>
    assert.deepEqual(formFieldFaults([{ name: 'Größe 2' }, { name: '名前', type: 'text' }]), []))
})

describe('the page of a form', () => {
  const evil = `"><script>alert(1)</script>'&`
  const form = readForm({
    title: evil,
    description: evil,
    button: evil,
    thanks: `Thank you, {name}. ${'{{'}x${'}}'}`,
    picture: 'javascript:alert(1)',
    accent: 'red;}',
    fields: [
      { name: 'name', label: evil, help: evil, type: 'text' },
      { name: 'size', label: evil, type: 'choice', choices: [evil, 'b'] },
      { name: 'one', label: evil, type: 'choice', required: true, choices: [evil, 'b'] },
      { name: 'long', type: 'long text' },
      { name: 'ok', label: evil, type: 'checkbox' }
    ]
  })

  it('holds nothing of what others wrote but as text', () => {
    const values = Object.fromEntries(form.fields.map(({ name }) => [name, `</textarea>${evil}`]))
    const faults = form.fields.map(({ name }) => ({ name, message: evil }))
    const html = formHtml(form, { values, faults, problem: evil, key: evil }) + thanksHtml(form, evil)
    assert.ok(!html.includes('<script'), html)
    assert.equal(html.match(/<\/textarea>/g)?.length, 1)
    assert.ok(!html.includes('javascript:'))
    assert.ok(!formStyle(form).includes('red'))
  })

  it('keeps what was written, and says beside a field what is wrong with it', () => {
    const { fields } = form
    const html = formHtml(
      { ...form, fields },
      {
        ...EMPTY_FORM,
        values: { name: 'Ada', one: 'b', ok: 'true' },
        faults: [{ name: 'name', message: 'No.' }]
      }
    )
    assert.match(
      html,
      /<input type="text" autocomplete="name" class="control" id="field-1" name="name" aria-describedby="field-1-help field-1-fault" aria-invalid="true" value="Ada">/
    )
    assert.match(html, /id="field-1-fault">No\.</)
    assert.match(html, /value="b" required checked/)
    assert.match(html, /type="checkbox" value="true" id="field-5" name="ok" checked/)
    assert.match(html, /role="alert"[^>]*>.*href="#field-1"/)
  })

  it('thanks with what was written, which is not read as a template', () => {
    assert.equal(thanksOf(form, { name: '{size}' }, {}), 'Thank you, {size}. {x}')
    assert.equal(
      thanksOf({ thanks: '{cv}' }, { cv: { ...ONE_FILE, file: `file_${'a'.repeat(22)}` } }, {}),
      'cv.pdf'
    )
    assert.equal(thanksOf({ thanks: '{gone}' }, {}, {}), 'Thank you. What you sent has arrived.')
    assert.match(thanksFault('{other}', form.fields)?.message ?? '', /may read: \{name\}/)
    assert.equal(thanksFault('{name}', form.fields), undefined)
  })

  it('shows pictures that a browser loads safely', () => {
    assert.ok(isPicture('https://example.com/a.png') && isPicture('data:image/png;base64,aGk='))
    assert.ok(!isPicture('http://example.com/a.png') && !isPicture('data:text/html;base64,aGk='))
  })

  it('can be read on any colour', () => {
    assert.match(formStyle({ accent: '#ffee00' }), /--accent:#ffee00;--on-accent:#000/)
    assert.match(formStyle({ accent: '#223399' }), /--accent:#223399;--on-accent:#fff/)
  })
})
