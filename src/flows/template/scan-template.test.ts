import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Piece, scanTemplate } from './scan-template.ts'
import { templateFault } from './template-fault.ts'

/** `kind:text` of every piece. */
function pieces(source: string): string[] {
  return [...scanTemplate(source)].map((piece) => `${piece.kind}:${source.slice(piece.from, piece.to)}`)
}

const anyTemplate = fc
  .array(fc.constantFrom('{', '}', '{{', '}}', '[', ']', '.', ':', '?', 'a', ' ', '\n', '.2f', '{a}', '😀'))
  .map((parts) => parts.join(''))

describe('scanTemplate', () => {
  const rows: [source: string, ...expected: string[]][] = [
    [''],
    ['plain', 'text:plain'],
    ['a {b} {{c}}', 'text:a ', 'field:{b}', 'text: ', 'brace:{{', 'text:c', 'brace:}}'],
    ['{{{a}}}', 'brace:{{', 'field:{a}', 'brace:}}'],
    ['{[}]}x', 'field:{[}]}', 'text:x'],
    // After a fault, reading goes on at the next brace.
    ['{} {a}', 'fault:{}', 'text: ', 'field:{a}'],
    ['{a {b}', 'fault:{a ', 'field:{b}'],
    ['a } {b}', 'text:a ', 'fault:}', 'text: ', 'field:{b}'],
    ['{a:zz} {b}', 'fault:{a:zz}', 'text: ', 'field:{b}'],
    ['{a', 'fault:{a']
  ]
  for (const [source, ...expected] of rows) {
    it(`takes ${JSON.stringify(source)} apart`, () => assert.deepEqual(pieces(source), expected))
  }

  it('leaves no gap, and has a fault exactly where the template does not compile, the same one', () => {
    fc.assert(
      fc.property(anyTemplate, (source) => {
        const found: Piece[] = [...scanTemplate(source)]
        assert.equal(found.map((piece) => source.slice(piece.from, piece.to)).join(''), source)
        const fault = found.find((piece) => piece.kind === 'fault')
        assert.equal(fault?.error.message, templateFault(source)?.message)
      })
    )
  })
})
