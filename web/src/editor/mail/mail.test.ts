import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { previewMail } from './preview-mail.ts'
import { separateStyles } from './separate-styles.ts'
import { withoutLoads } from './without-loads.ts'

const FIELDS = {
  connection: 'mail',
  to: '{name} <{email}>',
  subject: 'Order {number}',
  html: '<p>Hello {name}</p>',
  attachments: [{ name: 'order-{number}.json', content: '{lines}' }]
}

describe('the preview of a mail', () => {
  it('is what the step would send of the data', () => {
    const data = { name: 'Ann & Jo', email: 'ann@shop.example', number: 7, lines: [1] }
    const { mail } = previewMail(FIELDS, data, {})
    assert.deepEqual(mail?.to, [{ name: 'Ann & Jo', address: 'ann@shop.example' }])
    assert.equal(mail?.subject, 'Order 7')
    assert.equal(mail?.html, '<p>Hello Ann &amp; Jo</p>')
    assert.deepEqual(
      mail?.attachments.map(({ filename }) => filename),
      ['order-7.json']
    )
  })

  it('says what would fail, in the words of the run', () => {
    const bad = { name: 'Ann', email: 'nowhere', number: 7, lines: [] }
    assert.match(previewMail(FIELDS, bad, {}).problem ?? '', /"nowhere" is not an e-mail address/)
    assert.match(previewMail({ ...FIELDS, subject: '{' }, bad, {}).problem ?? '', /./)
  })
})

describe('the styles of a mail', () => {
  it('are taken out of its HTML, and nothing else is', () => {
    const html = `<style type="text/css">a > b { color: red }</style><p title=' style="x"' STYLE = "color:red" class=a>style="kept"</p><br style='margin:0' onclick=x/>`
    assert.deepEqual(separateStyles(html), {
      html: `<p title=' style="x"' data-style = "color:red" class=a>style="kept"</p><br data-style='margin:0' data-onclick=x/>`,
      sheets: ['a > b { color: red }']
    })
  })

  it('load nothing', () => {
    assert.equal(
      withoutLoads('@import url("x.css"); a { background: url(https://spy.example/a.png) }'),
      ' a { background: none }'
    )
    assert.equal(withoutLoads('a { background: url("data:,x") }'), 'a { background: url("data:,x") }')
  })

  it('are found as a browser finds them, also where somebody hides them', () => {
    const html = `<a " style="x"><!-- <style>no --><STYLE a=">"\n>b</style x><p/onclick=y =style=z 'on'=1><style`
    assert.deepEqual(separateStyles(html), {
      html: `<a " data-style="x"><!-- <style>no --><p/data-onclick=y =style=z 'on'=1>`,
      sheets: ['b', '']
    })
    assert.equal(withoutLoads(`a{b:image-set(url(x) 1x, "y)" 2x);c:url('`), 'a{b:none;c:none')
  })

  it('are found in one pass, whatever a payload holds', () => {
    const hostile = [
      '<style ',
      '<a "',
      `<a '"`,
      '<a b="',
      '<style>',
      '<!--',
      '<',
      '< ',
      '<a\n',
      '<a=',
      '</style'
    ]
    const sheets = ['url(', 'url("', `url('("('`, '@import ', 'src(', 'url( ', '(', 'image-set(url(']
    const cases: [string, (text: string) => unknown][] = [
      ...hostile.map((text): [string, (text: string) => unknown] => [text, separateStyles]),
      ...sheets.map((text): [string, (text: string) => unknown] => [text, withoutLoads])
    ]
    for (const [text, read] of cases) {
      const whole = text.repeat(200_000 / text.length)
      const since = performance.now()
      read(whole)
      assert.ok(performance.now() - since < 3000, JSON.stringify(text))
    }
  })
})
