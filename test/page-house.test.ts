import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { posix, sep } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Breach, describeBreach } from './support/breaches.ts'
import { importCycles, longFiles } from './support/house-rules.ts'
import { readSource, type SourceFile } from './support/read-imports.ts'

describe('the page', () => {
  const files = readFiles('web/src/**/*.{ts,tsx}')
  const service = byPath(readFiles('src/**/*.ts'))

  it('is not empty', () => assert.ok(files.length > 0, 'no file was found below web/src/'))
  it('has no import cycles', () => assertKept(importCycles(files)))
  it('has rooms in its editor that stand one above the other', () =>
    assertKept(importCycles(editorRooms(files))))
  it('has files of a size to be read at once', () => assertKept(longFiles(files)))
  it('takes from the service what runs in a browser, and types', () =>
    assertKept(files.flatMap((file) => beyondPureCode(file, service))))
  it('keeps the editing of graphs free of React', () => assertKept(files.flatMap(editorBeyondItself)))
})

describe('the rules of the page', () => {
  it('let it import what needs nothing of Node, and types of anything', () => {
    const service = byPath([
      readSource('src/flows/pure.ts', `import Type from 'typebox'\nimport type { A } from 'fastify'`),
      readSource(
        'src/runs/impure.ts',
        `import { pure } from '../flows/pure.ts'\nimport { open } from './file.ts'`
      ),
      readSource('src/runs/file.ts', `import { readFile } from 'node:fs'\nimport { a } from './impure.ts'`)
    ])
    const source = [
      `import { pure } from '../../../src/flows/pure.ts'`,
      `import { impure } from '../../../src/runs/impure.ts'`,
      `import type { Impure } from '../../../src/runs/impure.ts'`
    ]
    const found = beyondPureCode(readSource('web/src/api/x.ts', source.join('\n')), service)
    assert.deepEqual(
      found.map(({ line, rule }) => `${line} ${rule}`),
      ['2 the page imports src/runs/impure.ts, which needs node:fs']
    )
  })

  it('find rooms of the editor that need each other, whichever files they do it by', () => {
    const rooms = editorRooms([
      readSource('web/src/pages/editor/canvas/a.ts', `import { b } from '../session/b.ts'`),
      readSource('web/src/pages/editor/session/b.ts', `import { x } from '../../../api/x.ts'`),
      readSource('web/src/pages/editor/session/c.ts', `import { d } from '../canvas/d.ts'`)
    ])
    assert.match(importCycles(rooms)[0]!.rule, /editor\/canvas → .*editor\/session → .*editor\/canvas/)
  })

  it('keep React and the page out of the editor', () => {
    const source = [
      `import type { Flow } from '../api/shapes.ts'`,
      `import { useState } from 'react'`,
      `import { theme } from '../design/theme.ts'`,
      `import { graph } from './graph.ts'`,
      `import dagre from '@dagrejs/dagre'`
    ]
    const linesIn = (path: string) =>
      editorBeyondItself(readSource(path, source.join('\n'))).map(({ line }) => line)
    assert.deepEqual(linesIn('web/src/editor/x.ts'), [2, 3])
    assert.deepEqual(linesIn('web/src/pages/x.ts'), [])
  })
})

const EDITOR = 'web/src/pages/editor/'

/** Each folder of the editor's page as if it were one file: it imports whatever its files import from other folders. */
function editorRooms(files: readonly SourceFile[]): SourceFile[] {
  const rooms = new Map<string, SourceFile>()
  for (const file of files) {
    const room = editorRoomOf(file.path)
    if (room === undefined) continue
    const imports = file.imports.flatMap((imported) => {
      const target = editorRoomOf(targetOf(file, imported.specifier))
      return target === undefined || target === room ? [] : [{ ...imported, specifier: `./${target}` }]
    })
    const known = rooms.get(room)?.imports ?? []
    rooms.set(room, { ...file, path: `${EDITOR}${room}`, imports: [...known, ...imports] })
  }
  return [...rooms.values()]
}

function editorRoomOf(path: string): string | undefined {
  return path.startsWith(EDITOR) ? path.slice(EDITOR.length).split('/')[0] : undefined
}

/**
 * The page uses the service's own code and not a copy of it, as long as that needs nothing which a browser lacks: no
 * package but TypeBox, no module of Node, in the file itself or in anything that it imports.
 */
function beyondPureCode(file: SourceFile, service: ReadonlyMap<string, SourceFile>): Breach[] {
  return file.imports
    .filter(({ typeOnly }) => !typeOnly)
    .flatMap(({ line, specifier }) => {
      const target = targetOf(file, specifier)
      if (!target.startsWith('src/')) return []
      return [...outsideOf(target, service)].map((outside) => ({
        file: file.path,
        line,
        rule: `the page imports ${target}, which needs ${outside}`,
        remedy: 'import its type only, or move what is pure into a file of its own'
      }))
    })
}

/** What a file of the service imports from outside of it, directly or by others. */
function outsideOf(
  path: string,
  service: ReadonlyMap<string, SourceFile>,
  seen = new Set<string>()
): Set<string> {
  const outside = new Set<string>()
  if (seen.has(path)) return outside
  seen.add(path)
  for (const { specifier, typeOnly } of service.get(path)?.imports ?? []) {
    if (typeOnly) continue
    if (!specifier.startsWith('.')) {
      if (!/^typebox(?:\/|$)/.test(specifier)) outside.add(specifier)
    } else
      for (const found of outsideOf(posix.join(posix.dirname(path), specifier), service, seen))
        outside.add(found)
  }
  return outside
}

function editorBeyondItself(file: SourceFile): Breach[] {
  if (!file.path.startsWith('web/src/editor/')) return []
  return file.imports
    .filter(({ specifier, typeOnly }) => {
      const target = targetOf(file, specifier)
      const isPage = target.startsWith('web/src/') && !target.startsWith('web/src/editor/')
      return !typeOnly && (isPage || /^(?:react|@mantine|@xyflow|@tanstack)(?:\/|-|$)/.test(specifier))
    })
    .map(({ line, specifier }) => ({
      file: file.path,
      line,
      rule: `the editing of graphs imports ${specifier}`,
      remedy: 'take what is needed as an argument'
    }))
}

function targetOf({ path }: SourceFile, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier
}

function readFiles(pattern: string): SourceFile[] {
  const root = fileURLToPath(new URL('..', import.meta.url))
  return globSync(pattern, { cwd: root })
    .filter((path) => !/\.test(?:-kit)?\.ts$/.test(path))
    .sort()
    .map((path) => readSource(path.replaceAll(sep, '/'), readFileSync(`${root}${path}`, 'utf8')))
}

function byPath(files: readonly SourceFile[]): Map<string, SourceFile> {
  return new Map(files.map((file) => [file.path, file]))
}

function assertKept(breaches: readonly Breach[]): void {
  assert.ok(breaches.length === 0, `\n${breaches.map(describeBreach).join('\n')}`)
}
