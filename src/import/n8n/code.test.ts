import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawn } from './drawn-node.test-kit.ts'

describe('code of n8n', () => {
  it('copies values, and is told where it uses what is not there', () => {
    const told = (jsCode: string) => drawn('code', 2, { jsCode }).report.note
    assert.equal(told('return $input.all().map((item) => ({ json: item.json.crypto }))'), '')
    assert.match(told('await new Promise((done) => setTimeout(done, 5)); return []'), /It uses setTimeout/)
    const { nodes } = drawn('code', 2, { jsCode: 'return structuredClone($input.all())' })
    assert.match(
      String(nodes.find(({ id }) => id === 'node')!.fields.code),
      /const structuredClone = \(value\) =>/
    )
  })

  it('is told of each name of n8n that nothing here stands for', () => {
    const told = (jsCode: string) => drawn('code', 2, { jsCode }).report.note
    const NAMED: readonly [code: string, name: string][] = [
      ['return [{ json: { a: $env.KEY } }]', '$env'],
      ['return $items()[0].json.a + $runIndex', '$items, $runIndex'],
      ['const name = "Other"; return $(name).all()', '$'],
      [
        'return [{ json: { a: `\u0024{$input.params.a} \u0024{`\u0024{$prevNode.name}`}` } }]',
        '$input.params, $prevNode'
      ],
      ['return [{ json: { url: $execution.resumeUrl } }]', '$execution.resumeUrl'],
      ['const { helpers } = this; return await this.helpers.httpRequest({})', 'this.helpers'],
      ['return $input.all().map((item) => ({ json: {}, binary: item.binary }))', 'binary data']
    ]
    for (const [code, name] of NAMED)
      assert.equal(told(code), `It uses ${name} of n8n, which is not there: change that by hand.`)
    const own =
      'const [$a, { b: $b }] = [1, {}], $c = 2; const f = ($d, [$e]) => $d + $e; return f($a, [$b + $c])'
    assert.equal(told(own), '')
    assert.match(told(`return $('Given').all()\n${'// long\n'.repeat(2_000)}`), /too long to be read here/)
    assert.equal(told(`return $input.all()\n${'// long\n'.repeat(2_000)}`), '')
  })

  it('reads other nodes in texts in backticks', () => {
    const { report, nodes } = drawn('code', 2, {
      jsCode: 'return [{ json: { a: `<\u0024{$("Given").first().json.a}>` } }]'
    })
    assert.equal(report.note, '')
    assert.match(String(nodes.find(({ id }) => id === 'node')!.fields.code), /`<\$\{\$from\(nodes\[/)
  })

  it('is told by which clock dates go', () => {
    const { report } = drawn('set', 3.4, {
      assignments: {
        assignments: [{ name: 'x', type: 'string', value: '={{ $now.plus(1, "day").toISODate() }}' }]
      }
    })
    assert.match(report.note, /Dates are computed and written in UTC, and not by the clock of n8n\./)
    assert.equal(report.verdict, 'adapted')
  })
})
