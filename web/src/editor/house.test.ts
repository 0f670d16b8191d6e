import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { posix, sep } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { describeBreach } from '../../../test/support/breaches.ts'
import { importCycles, longFiles } from '../../../test/support/house-rules.ts'
import { linesMatching, readSource } from '../../../test/support/read-imports.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The layout comes with a package, and the page loads that file when somebody tidies. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'web/src/editor/compare/diff-lists.ts': ['diff/lib/diff/array.js'],
  'web/src/editor/layout/lay-out.ts': ['@dagrejs/dagre']
}

/** What is pure over there too. Components are for previews: they run the same here. */
const ROOMS = ['web/src/editor/', 'src/flows/', 'src/components/', 'src/errors.ts']

/** The page and its clock are the page's to pass in. */
const IMPURE =
  /\b(?:Date\.now|Math\.random|performance\.now)\(|(?<![\w$.])(?:setTimeout|setInterval|fetch)\(|(?<![\w$.])(?:window|document|localStorage|navigator)\./

describe('the editor', () => {
  const files = globSync('web/src/editor/**/*.ts', { cwd: root })
    .filter((path) => !/\.test(?:-kit)?\.ts$/.test(path))
    .sort()
    .map((path) => readSource(path.replaceAll(sep, '/'), readFileSync(`${root}${path}`, 'utf8')))

  it('is not empty', () => assert.ok(files.length > 30))

  it('has no import cycles and no file too long to be read at once', () => {
    assert.deepEqual([...importCycles(files), ...longFiles(files)].map(describeBreach), [])
  })

  it('knows nothing of React, of the browser and of the rest of the service', () => {
    const breaches = files.flatMap(({ path, imports }) =>
      imports.flatMap(({ specifier, line }) => {
        const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined
        const isAllowed =
          target === undefined
            ? PACKAGES[path]?.includes(specifier) === true
            : ROOMS.some((room) => target.startsWith(room))
        return isAllowed ? [] : [`${path}:${line} imports ${specifier}`]
      })
    )
    assert.deepEqual(breaches, [])
  })

  it('takes time and chance from its callers', () => {
    const breaches = files.flatMap(({ path, code }) =>
      linesMatching(code, IMPURE).map((line) => `${path}:${line}`)
    )
    assert.deepEqual(breaches, [])
  })
})
