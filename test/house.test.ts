import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Breach, describeBreach } from './support/breaches.ts'
import {
  arrowsAgainstTheStream,
  componentsBeyondPluginApi,
  environmentReaders,
  importCycles,
  importsThatSlowTheStart,
  impureCode,
  impureImports,
  longFiles,
  modulesWithState,
  socketsBesideTheGuard,
  storeBeyondItsInterface
} from './support/house-rules.ts'
import { readSource, type SourceFile } from './support/read-imports.ts'
import { type ProjectFile, unimportedExports } from './support/unimported-exports.ts'

type Rule = (files: SourceFile[]) => Breach[]

describe('the house', () => {
  const files = readHouse()

  it('is not empty', () => assert.ok(files.length > 0, 'no file was found below src/'))
  it('has no import cycles', () => assertKept(importCycles, files))
  it('keeps contexts, flows and engine free of frameworks, drivers and files', () =>
    assertKept(impureImports, files))
  it('keeps contexts, flows and engine free of clock, chance, timers and process', () =>
    assertKept(impureCode, files))
  it('lets components see plugin-api only', () => assertKept(componentsBeyondPluginApi, files))
  it('has arrows that point one way', () => assertKept(arrowsAgainstTheStream, files))
  it('keeps the store behind its interface', () => assertKept(storeBeyondItsInterface, files))
  it('opens sockets for steps in egress/ only', () => assertKept(socketsBesideTheGuard, files))
  it('imports nothing that slows every start for a detail', () => assertKept(importsThatSlowTheStart, files))
  it('reads the environment in main.ts only', () => assertKept(environmentReaders, files))
  it('keeps no state in modules', () => assertKept(modulesWithState, files))
  it('has files of a size to be read at once', () => assertKept(longFiles, files))
  it('exports only what others import, and so does the page', () =>
    assertNone(unimportedExports(readProject())))
})

describe('the rules of the house', () => {
  it('find a cycle and show its way', () => {
    const files = house({
      'src/runs/a.ts': `import { b } from './b.ts'`,
      'src/runs/b.ts': `\nexport { c } from '../keys/c.ts'`,
      'src/keys/c.ts': `const a = await import('../runs/a.ts')`
    })
    assert.deepEqual(brokenBy(importCycles, files), ['src/keys/c.ts:1'])
    assert.match(
      importCycles(files)[0]!.rule,
      /src\/runs\/a\.ts → src\/runs\/b\.ts → src\/keys\/c\.ts → src\/runs\/a\.ts/
    )
  })

  it('find a cycle of types', () => {
    const files = house({
      'src/runs/a.ts': `import { b } from './b.ts'`,
      'src/runs/b.ts': `import type { A } from './a.ts'`
    })
    assert.deepEqual(brokenBy(importCycles, files), ['src/runs/b.ts:1'])
  })

  it('do not take two ways to one file for a cycle', () => {
    const files = house({
      'src/a.ts': `import { b } from './b.ts'\nimport { c } from './c.ts'`,
      'src/b.ts': `import { c } from './c.ts'`,
      'src/c.ts': `export const c = 1`
    })
    assert.deepEqual(importCycles(files), [])
  })

  it('keep the pure rooms pure', () => {
    const files = house({
      'src/engine/good.ts': `
        import Type from 'typebox'
        import { Check } from 'typebox/value'
        import type { Component } from '../plugin-api.ts'
        import { problem } from '../errors.ts'
        import { settle } from './settle.ts'
        import { graph } from '../flows/graph.ts'`,
      'src/engine/bad.ts': `
        import { readFile } from 'node:fs/promises'
        import type { FastifyInstance } from 'fastify'
        import { defineComponent } from '../plugin-api.ts'
        import type { Store } from '../store/store.ts'
        import version from '../../package.json' with { type: 'json' }`,
      'src/flows/bad.ts': `import { settle } from '../engine/settle.ts'`
    })
    assert.deepEqual(brokenBy(impureImports, files), [
      'src/engine/bad.ts:2',
      'src/engine/bad.ts:3',
      'src/engine/bad.ts:4',
      'src/engine/bad.ts:5',
      'src/engine/bad.ts:6',
      'src/flows/bad.ts:1'
    ])
  })

  it('find clock, chance, timers and process in the pure rooms, and only there', () => {
    const impure = [
      'Date.now()',
      'new Date()',
      'new Date',
      'performance.now()',
      'Math.random()',
      'setTimeout(f)',
      'fetch(url)',
      'process.pid'
    ]
    const pure = [
      'new Date(text)',
      'new DateRange',
      'clock.setTimeout(f)',
      'step.process.id',
      '// Date.now()',
      "'Date.now()'"
    ]
    const files = house({
      'src/flows/impure.ts': impure.join('\n'),
      'src/flows/pure.ts': pure.join('\n'),
      'src/runs/clock.ts': impure.join('\n')
    })
    const expected = impure.map((_, index) => `src/flows/impure.ts:${index + 1}`)
    assert.deepEqual(brokenBy(impureCode, files).sort(), expected)
  })

  it('let a component see plugin-api and its own folder', () => {
    const files = house({
      'src/components/parser.ts': `import { defineComponent } from '../plugin-api.ts'\nimport { webhook } from './webhook.ts'`,
      'src/components/http/send.ts': `import { StepError } from '../../plugin-api.ts'\nimport { url } from './url.ts'`,
      'src/components/http/url.ts': `import { parser } from '../parser.ts'\nimport net from 'node:net'`,
      'src/components/built-in.ts': `import { parser } from './parser.ts'\nimport { settle } from '../engine/settle.ts'`
    })
    assert.deepEqual(brokenBy(componentsBeyondPluginApi, files), [
      'src/components/parser.ts:2',
      'src/components/http/url.ts:1',
      'src/components/http/url.ts:2',
      'src/components/built-in.ts:2'
    ])
  })

  it('let arrows point inwards only, types included', () => {
    const files = house({
      'src/main.ts': `import { createRuntime } from './runtime.ts'`,
      'src/runs/accept.ts': `import { find } from '../library/find.ts'\nimport type { App } from '../http/app.ts'`,
      'src/http/app.ts': `import { accept } from '../runs/accept.ts'\nimport { createRuntime } from '../runtime.ts'`
    })
    assert.deepEqual(brokenBy(arrowsAgainstTheStream, files), ['src/runs/accept.ts:2', 'src/http/app.ts:2'])
  })

  it('keep the store behind its interface', () => {
    const files = house({
      'src/store/sqlite/open.ts': `
        import { DatabaseSync } from 'node:sqlite'
        import type { Run } from '../../runs/run.ts'
        import { writeJson } from '../../flows/json/exact-json.ts'
        import { problem } from '../../errors.ts'
        import { migrate } from '../migrate.ts'
        import { accept } from '../../runs/accept.ts'
        import Fastify from 'fastify'`
    })
    assert.deepEqual(brokenBy(storeBeyondItsInterface, files), [
      'src/store/sqlite/open.ts:7',
      'src/store/sqlite/open.ts:8'
    ])
    const drivers = house({
      'src/store/postgres/open.ts': `import { Pool } from 'pg'\nimport { PgBoss } from 'pg-boss'\nimport x from 'postgres'`,
      'src/store/sqlite/open.ts': `import { Pool } from 'pg'`
    })
    assert.deepEqual(brokenBy(storeBeyondItsInterface, drivers), [
      'src/store/postgres/open.ts:3',
      'src/store/sqlite/open.ts:1'
    ])
  })

  it('find sockets beside the guard', () => {
    const files = house({
      'src/components/a.ts': `import { request } from 'undici'\nconst a = await fetch('http://a.example')`,
      'src/runs/b.ts': `import type { Dispatcher } from 'undici'\nimport { connect } from 'node:tls'`,
      'src/egress/c.ts': `import { fetch } from 'undici'\nawait fetch('http://a.example')`,
      'src/components/sql/d.ts': `const { default: pg } = await import('pg')\nawait connection.fetch('/x')`
    })
    assert.deepEqual(brokenBy(socketsBesideTheGuard, files).sort(), [
      'src/components/a.ts:1',
      'src/components/a.ts:2',
      'src/runs/b.ts:2'
    ])
  })

  it('find imports that slow the start, but not of types', () => {
    const files = house({
      'src/flows/good.ts': `import type { Static } from 'typebox'\nimport { Check } from 'typebox/schema'`,
      'src/flows/bad.ts': `import Type, { type Static } from 'typebox'\nimport { Check } from 'typebox/value'`,
      'src/http/bad.ts': `import { STATUS_CODES } from 'node:http'`
    })
    assert.deepEqual(brokenBy(importsThatSlowTheStart, files), [
      'src/flows/bad.ts:1',
      'src/flows/bad.ts:2',
      'src/http/bad.ts:1'
    ])
  })

  it('find readers of the environment', () => {
    const files = house({
      'src/main.ts': 'run(process.env)',
      'src/runtime.ts': `// process.env\nconst { PORT } = process.env\nimport { env } from 'node:process'`
    })
    assert.deepEqual(brokenBy(environmentReaders, files), ['src/runtime.ts:2', 'src/runtime.ts:3'])
  })

  it('find modules with state', () => {
    const files = house({
      'src/a.ts': `const script = \`\nlet x = 0\n\`\nexport let b = 1\nexport function c() {\n  let d = 2\n}`,
      'src/documents/document-process.ts': 'let e = 3'
    })
    assert.deepEqual(brokenBy(modulesWithState, files), ['src/a.ts:4'])
  })

  it('find exports that nobody imports', () => {
    const found = unimportedExports([
      { path: 'src/a.ts', source: 'export const used = 1\nexport type Unused = 1\n// export const no = 1' },
      {
        path: 'src/b.ts',
        source: "import { type C, used as one } from './a.ts'\nexport function whole() {}"
      },
      { path: 'src/c.ts', source: 'export class Loaded {}\nexport const other = 1' },
      { path: 'src/d.test.ts', source: "await import('./c.ts')\nimport type {\n  whole\n} from './b.ts'" },
      { path: 'test/e.ts', source: 'export const support = 1' }
    ])
    assert.deepEqual(
      found.map(({ file, line }) => `${file}:${line}`),
      ['src/a.ts:2']
    )
  })

  it('find long files', () => {
    const files = house({ 'src/a.ts': 'x\n'.repeat(300), 'src/b.ts': 'x\n'.repeat(301) })
    assert.deepEqual(brokenBy(longFiles, files), ['src/b.ts:301'])
  })
})

function readHouse(): SourceFile[] {
  const root = fileURLToPath(new URL('..', import.meta.url))
  return globSync('src/**/*.ts', { cwd: root })
    .filter((path) => !/\.test(?:-kit)?\.ts$/.test(path))
    .sort()
    .map((path) => readSource(path.replaceAll(sep, '/'), readFileSync(`${root}${path}`, 'utf8')))
}

/** All that may import something of src/ or of the page. */
function readProject(): ProjectFile[] {
  const root = fileURLToPath(new URL('..', import.meta.url))
  return globSync('{src,web,test,bench,examples,scripts,bin}/**/*.{ts,tsx,mts,mjs,js}', {
    cwd: root,
    exclude: ['**/dist/**', '**/node_modules/**']
  }).map((path) => ({ path: path.replaceAll(sep, '/'), source: readFileSync(`${root}${path}`, 'utf8') }))
}

function house(sources: Record<string, string>): SourceFile[] {
  return Object.entries(sources).map(([path, source]) => readSource(path, source))
}

function brokenBy(rule: Rule, files: SourceFile[]): string[] {
  return rule(files).map(({ file, line }) => `${file}:${line}`)
}

function assertKept(rule: Rule, files: SourceFile[]): void {
  assertNone(rule(files))
}

function assertNone(breaches: readonly Breach[]): void {
  assert.ok(breaches.length === 0, `\n${breaches.map(describeBreach).join('\n')}`)
}
