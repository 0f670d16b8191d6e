import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maskSource, readImports } from './support/read-imports.ts'

describe('readImports', () => {
  const cases: [source: string, expected: string[]][] = [
    [`import { a } from './a.ts'`, ['./a.ts']],
    [`import a, { b } from "./a.ts"`, ['./a.ts']],
    [`import * as a from './a.ts'`, ['./a.ts']],
    [`import './a.ts'`, ['./a.ts']],
    [`import{a}from'./a.ts'`, ['./a.ts']],
    [`import {\n  a,\n  type B\n} from './a.ts'`, ['./a.ts']],
    [`import { type B } from './a.ts'`, ['./a.ts']],
    [`import type from './a.ts'`, ['./a.ts']],
    [`import type { A } from './a.ts'`, ['type ./a.ts']],
    [`import type A from './a.ts'`, ['type ./a.ts']],
    [`import type * as A from './a.ts'`, ['type ./a.ts']],
    [`export { a } from './a.ts'`, ['./a.ts']],
    [`export * from './a.ts'`, ['./a.ts']],
    [`export * as a from './a.ts'`, ['./a.ts']],
    [`export type { A } from './a.ts'`, ['type ./a.ts']],
    [`export { a }\nimport type { B } from './b.ts'`, ['type ./b.ts']],
    [`export const from = 'x'`, []],
    [`const a = await import('./a.ts')`, ['dynamic ./a.ts']],
    [`import(\n  './a.ts'\n).then(use)`, ['dynamic ./a.ts']],
    [`import(path)`, []],
    [`import(\`./\${name}.ts\`)`, []],
    [`type A = typeof import('./a.ts')`, ['type dynamic ./a.ts']],
    [`let a: import('./a.ts').A`, ['type dynamic ./a.ts']],
    [`import.meta.url`, []],
    [`registry.import('./a.ts')`, []],
    [`// import { a } from './a.ts'`, []],
    [`/* import './a.ts' */ import './b.ts'`, ['./b.ts']],
    [`const text = "import { a } from './a.ts'"`, []],
    [`const text = \`import './a.ts' \${await import('./b.ts')}\``, ['dynamic ./b.ts']]
  ]
  for (const [source, expected] of cases) {
    it(`reads ${JSON.stringify(source)}`, () => {
      const found = readImports(source).map(({ specifier, typeOnly, dynamic }) => {
        return `${typeOnly ? 'type ' : ''}${dynamic ? 'dynamic ' : ''}${specifier}`
      })
      assert.deepEqual(found, expected)
    })
  }

  it('knows the line on which an import begins', () => {
    const source = `/*\n*/\nimport {\n  a\n} from './a.ts'\n\nimport './b.ts'`
    assert.deepEqual(
      readImports(source).map(({ line }) => line),
      [3, 7]
    )
  })
})

describe('maskSource', () => {
  const cases: [source: string, expected: string][] = [
    ['a // b\nc', 'a     \nc'],
    ['a /* b\nc */ d', 'a     \n     d'],
    [`'a\\'b' c`, `'    ' c`],
    [`"// a" b`, `"    " b`],
    [`\`a \${b} c\` d`, '`   {b}  ` d'],
    [`\`a \${{ b: \`c\` }.b} d\` e`, '`   {{ b: ` ` }.b}  ` e'],
    [`x = /['"]/ + y`, 'x = /    / + y'],
    [`f(/[/]'/, 'a')`, `f(/    /, ' ')`],
    [`return /'/.test(a)`, `return / /.test(a)`],
    [`a / b + 'c' / d`, `a / b + ' ' / d`]
  ]
  for (const [source, expected] of cases) {
    it(`masks ${JSON.stringify(source)}`, () => assert.equal(maskSource(source), expected))
  }
})
