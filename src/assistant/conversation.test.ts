import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { argumentsOf, callInText } from './conversation.ts'
import { asData } from './instructions.ts'

describe('what is told to a model', () => {
  it('ends the mark of data nowhere but at its end', () => {
    const part = fc.constantFrom(
      '<',
      '/',
      ' ',
      '\n',
      'data',
      'DATA',
      '>',
      '<data>',
      '</data>',
      '< / data',
      '</d\u200bata>',
      '\u200b',
      'x'
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const told = asData(parts.join(''))
        assert.deepEqual(told.match(/<[\s/\u200b]*d\u200b?ata/gi), ['<data', '</data'])
      })
    )
  })
})

it('reads the worst of texts in no time', () => {
  const begun = process.cpuUsage()
  assert.equal(callInText(`\`\`\`${'\n'.repeat(250_000)}`), undefined)
  assert.equal(callInText('```\n'.repeat(60_000)), undefined)
  for (const text of [`<${' '.repeat(200_000)}`, '< /'.repeat(70_000), '<d'.repeat(100_000)]) asData(text)
  const { user, system } = process.cpuUsage(begun)
  assert.ok(user + system < 1_000_000, `${user + system} µs`)
})

describe('what a model answers', () => {
  it('is a call where it is written as text', () => {
    const call = { summary: 'x', nodes: [] }
    const json = JSON.stringify(call)
    for (const text of [json, ` ${json}\n`, `So:\n\`\`\`json\n${json}\n\`\`\`\nThat is it.`])
      assert.deepEqual(callInText(text), call)
    for (const text of ['', 'Which one?', '{"a":1}', '[1]', `${json} and more`, '{'.repeat(100_000)])
      assert.equal(callInText(text), undefined)
  })

  it('has arguments, or none, or no JSON', () => {
    assert.deepEqual([argumentsOf(' '), argumentsOf('{"a":1}')], [{}, { a: 1 }])
    for (const input of ['[]', '1', 'null', '{"a":', 'x']) assert.equal(argumentsOf(input), undefined)
  })
})
