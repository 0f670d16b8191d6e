import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { atOnce } from '../in-turns.ts'
import type { JsonValue } from '../json/exact-json.ts'
import { compileTemplate } from './compile-template.ts'
import { plainText, plainWords, words } from './plain-words.ts'
import { renderForPeople } from './render-for-people.ts'
import { withSignsShown } from './signs-shown.ts'

const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const render = (source: string, data: { [key: string]: JsonValue }, options = {}) =>
  atOnce(renderForPeople(compileTemplate(source), data, {}, { most: 100_000, ...options }))

describe('words for people', () => {
  it('lose what nobody sees, and keep the letters of every language', () => {
    assert.equal(plainWords('Ann\u202e \u2067x\u200f\u061c\u200b\ufeff\u{e0041}\x07\x1b[0m'), 'Ann x[0m')
    assert.equal(plainWords('Pay\u034f 1\u17b4\u17b50\u{1bca0}\u{1bca3}0\u{1d173}\u{1d17a}.'), 'Pay 100.')
    for (const name of [
      'Zoë Nguyễn Đặng',
      'أحمد محمود',
      'בְּרֵאשִׁ֖ית',
      'نمی\u200cخواهم',
      'हिन्दी क्\u200dष',
      'မြန်မာစကား',
      '👩\u200d❤\ufe0f\u200d👨 葛\u{e0100}飾',
      'two\nlines\tand a tab'
    ])
      assert.equal(plainWords(name), name)
  })

  it('have no more marks on a letter than a language has', () => {
    const heap = `Ann${'\u0336\u0489\u20dd'.repeat(5000)} 5`
    assert.equal(plainWords(heap).length, 'Ann'.length + 8 + ' 5'.length)
    assert.ok(plainWords(`A${'\u0301\u200d'.repeat(5000)}`).length < 12)
  })

  it('are written out where the data itself is looked at', () => {
    assert.equal(withSignsShown('"Ann\u202e \u{e0041}\n"'), '"Ann\\u202e \\udb40\\udc41\n"')
    assert.equal(JSON.parse(withSignsShown('"\u{e0041}"')), '\u{e0041}')
  })

  it('are set apart, one by one, where letters from right to left would move their neighbours', () => {
    assert.equal(words`Delete ${'Ann\u202e'} and ${2} more?`, 'Delete Ann and 2 more?')
    assert.equal(words`${'אב'}: ${'98001'} €`, '\u2068אב\u2069: \u206898001\u2069 €')
    assert.equal(plainText(words`${'אב\u202e'}: ${5}`), '\u2068אב\u2069: \u20685\u2069')
    assert.equal(
      plainText('a\u2069\u2068b\nc\u2069 \u2068d\u2069'),
      'ab\nc \u2068d\u2069',
      'only whole ones stay'
    )
  })
})

describe('a template rendered for people', () => {
  it('makes each value plain and leaves the text of the author as it is', () => {
    const asked = 'Refund to {customer}: {total} € ?'
    assert.equal(render(asked, { customer: 'Ann\u202e', total: 98001 }), 'Refund to Ann: 98001 € ?')
    assert.equal(render('\u200fשלום {a}', { a: 'Ann' }), '\u200fשלום \u2068Ann\u2069')
    assert.equal(
      render(asked, { customer: 'أحمد', total: 98001 }),
      'Refund to \u2068أحمد\u2069: \u206898001\u2069 € ?'
    )
  })

  it('sets texts within JSON, and lines, apart by themselves', () => {
    assert.equal(
      render('{list}', { list: ['א', 100, 200] }),
      '["א",100,200]'.replace('"א"', '\u2068"א"\u2069')
    )
    assert.equal(render('{text}', { text: 'א\nב' }), '\u2068א\u2069\n\u2068ב\u2069')
  })

  it('lets no value hide what comes after it', () => {
    const keepsLines = { keepsLines: true }
    const data = {
      a: `Ann: 10 € ?\n${'\u00a0'.repeat(3000)}\u2028x`,
      b: 'one\ntwo\n\n\n \n\nthree',
      total: 98001
    }
    assert.equal(render('To {a}: {total} € ?', data, keepsLines), 'To Ann: 10 € ? x: 98001 € ?')
    assert.equal(render('To {a}{total}', data, keepsLines), 'To Ann: 10 € ? x98001')
    assert.equal(render('Pay {total}?\n{b}\nEnd', data, keepsLines), 'Pay 98001?\none\ntwo\n\nthree\nEnd')
  })

  it('leaves no control of direction in any text, besides pairs of its own', () => {
    const letter = fc.constantFrom(
      'a',
      '1',
      'א',
      ' ',
      '\n',
      '\u202e',
      '\u2067',
      '\u2068',
      '\u2069',
      '\u200f',
      '\u0301',
      '"'
    )
    fc.assert(
      fc.property(fc.string({ unit: letter }), fc.string({ unit: letter }), (a, b) => {
        const text = render('<{a}|{b}|{c}>', { a, b, c: [a, { b }] })
        for (const line of text.split('\n')) {
          const rest = line.replaceAll(/\u2068[^\u2068\u2069]*\u2069/gu, '')
          assert.doesNotMatch(rest, DIRECTIONS)
        }
      })
    )
  })

  it('is the same where a value is so long that it is made plain piece by piece', () => {
    const short = 'Ann\u202e  \n\n\n\n e\u0301 أحمد " '
    const times = 1_000
    const whole = render('{a}', { a: short.repeat(times) })
    const pieces = render('{a}', { a: short })
      .trimEnd()
      .replaceAll(/[\u2068\u2069]/g, '')
    assert.equal(whole.replaceAll(/[\u2068\u2069]/g, '').split('Ann').length, times + 1)
    assert.ok(whole.replaceAll(/[\u2068\u2069]/g, '').startsWith(pieces))
    assert.doesNotMatch(whole, /\n{3}|\u202e/)
  })

  it('has no pages of nothing, however long, and of whatever blanks', () => {
    for (const blank of ['', ' ', '\u2800', '\u3164', '\u115f', '\uffa0', '\u200b']) {
      const text = render('{a}|', { a: `x${`\n${blank}`.repeat(30_000)}y` })
      assert.ok(text.split('\n').length < 5, JSON.stringify(blank))
    }
  })

  it('is the same in pieces, and as many, wherever there is a place to cut or none', () => {
    const template = compileTemplate('{a}')
    for (const part of [
      'a\u0301',
      '\u0301 ',
      '\u0301',
      '\u{e0041}\u0301',
      '\u{1d400}',
      '\u034f\u0301',
      '\u0301\u034f '
    ]) {
      const a = `x${part.repeat(Math.ceil(400_000 / part.length))}y`
      const rendering = renderForPeople(template, { a }, {}, { most: 500_000 })
      let turns = 1
      let turn = rendering.next()
      for (; turn.done !== true; turn = rendering.next()) turns++
      assert.ok(turn.value === plainWords(a), JSON.stringify(part))
      assert.ok(turns > 6, `${turns} turns of ${JSON.stringify(part)}`)
    }
  })

  it('is refused as soon as it is too long', () => {
    const a = Array.from({ length: 100_000 }, (_, at) => at)
    assert.throws(() => render('{a}'.repeat(1_000), { a }), { name: 'TextTooLong' })
  })
})
