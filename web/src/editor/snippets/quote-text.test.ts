import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { anyText } from '../../../../test/support/any-text.ts'
import { quoteJavaScript, quotePython, quoteShell, quoteShellWithVariable } from './quote-text.ts'
import { noPython, python, shell } from './snippets.test-kit.ts'

const nasty = fc
  .oneof(
    anyText(),
    fc
      .array(
        fc.constantFrom(
          "'",
          '"',
          '\\',
          '$',
          '`',
          '\n',
          '\r',
          ' ',
          '!',
          '%',
          '*',
          '~',
          '#',
          '\u2028',
          '\t',
          'a',
          '😀',
          "\\'"
        )
      )
      .map((parts) => parts.join(''))
  )
  .map((text) => text.replaceAll('\0', ''))

describe('quotes', () => {
  it('of a shell hold any text', async () => {
    const texts = fc.sample(nasty, 300)
    const script = texts.map((text) => `printf '%s\\0' ${quoteShell(text)}`).join('\n')
    const { stdout } = await shell(script)
    assert.deepEqual(
      stdout.split('\0').slice(0, -1),
      texts.map((text) => Buffer.from(text).toString())
    )
  })

  it('of a shell let a variable follow', async () => {
    const texts = fc.sample(nasty, 100)
    const script = texts.map((text) => `printf '%s\\0' ${quoteShellWithVariable(text, 'KEY')}`).join('\n')
    const { stdout } = await shell(script, { KEY: '$(x) "y"' })
    assert.deepEqual(
      stdout.split('\0').slice(0, -1),
      texts.map((text) => `${Buffer.from(text)}$(x) "y"`)
    )
  })

  it('of JavaScript hold any text', () => {
    fc.assert(
      fc.property(fc.oneof(nasty, anyText()), (text) => {
        assert.equal(runInNewContext(quoteJavaScript(text)), text)
      })
    )
  })

  it('of Python hold any text', { skip: noPython }, async () => {
    const texts = fc.sample(nasty, 300)
    const list = `[${texts.map(quotePython).join(', ')}]`
    const { stdout } = await python(`import json\nprint(json.dumps(${list}))`)
    assert.deepEqual(JSON.parse(stdout), texts)
  })

  it('are those that need fewer backslashes', () => {
    assert.deepEqual(['a', "it's", '{"a":1}', `"'`].map(quoteJavaScript), [
      "'a'",
      `"it's"`,
      `'{"a":1}'`,
      `'"\\''`
    ])
    assert.deepEqual(['a/b', 'a b', "it's"].map(quoteShell), ['a/b', "'a b'", `'it'\\''s'`])
  })
})
