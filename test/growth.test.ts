import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, it } from 'node:test'
import { builtInComponents } from '../src/components/built-in.ts'
import { runStepPaced } from '../src/components/step.test-kit.ts'
import { type AnyComponent, type Fields, resolveFields } from '../src/flows/component/component.ts'
import { COMPONENT_GROWTH, type Run } from './growth/components.ts'
import { DATA_SHAPES, JSON_SHAPES, TEXT_SHAPES } from './growth/data-shapes.ts'
import { assertGrowth, type Shape } from './growth/measure.ts'
import { NO_READERS, READERS } from './growth/readers.ts'

const ITEMS = 2_500
const CHARACTERS = 8_000
/** What the largest data takes: more, as a join of equal rows would give, is in turns, and takes long to see. */
const OUTPUT = 2 * 1024 ** 2
const FILES = globSync('src/**/*.{ts,js}', { cwd: dirname(import.meta.dirname) })

/** Names of files that read, as they are named in this house. */
const READER =
  /\/(?:[a-z-]+-)?(?:parse|parser|read|reader|scan|decode|compile|lexer|strike|verify|signature|prefer|duration|cron|slug|validate|check)(?:-[a-z-]+)?\.[tj]s$/
const NOT_LOOKED_AT = /\.test|\.d\.ts$|^src\/(?:store|cli)\//

function runShapes(component: AnyComponent, runs: readonly Run[]): Shape[] {
  return runs.flatMap(({ fields, inputs = (data) => ({ data }) }) =>
    Object.entries(DATA_SHAPES).map(([name, make]) => ({
      name: `${JSON.stringify(fields)} of ${name}`,
      n: ITEMS,
      make: (n: number) => {
        const given = inputs(make(n))
        return ({ pause }) => runStepPaced(component, { fields, inputs: given, outputLimit: OUTPUT }, pause)
      }
    }))
  )
}

/** Saves a node with a field of every shape, and makes it ready to run where it is sound. */
function fieldShapes(component: AnyComponent): Shape[] {
  return Object.entries((component.fields ?? {}) as Fields).flatMap(([field, { kind }]) => {
    // Lists and rows are held to their kind before, and to a length.
    const shapes = kind === 'json' ? JSON_SHAPES : kind === 'text' || kind === 'template' ? TEXT_SHAPES : {}
    return Object.entries(shapes).map(([name, make]) => ({
      name: `${field}: ${name}`,
      n: CHARACTERS,
      make: (n: number) => {
        const fields = resolveFields(component, { [field]: make(n) })
        return () => {
          if ((component.check?.(fields) ?? []).length === 0) component.prepare?.(fields)
        }
      }
    }))
  })
}

describe('work grows no faster than n log n, in turns of 50 ms', () => {
  for (const component of builtInComponents) {
    const growth = COMPONENT_GROWTH[component.type] ?? []
    it(`of ${component.type}`, async () => {
      for (const shape of fieldShapes(component)) await assertGrowth(shape)
      if (!('elsewhere' in growth))
        for (const shape of runShapes(component, growth)) await assertGrowth(shape)
    })
  }

  for (const { name, shapes } of READERS)
    it(`of reading ${name}`, async () => {
      for (const shape of shapes) await assertGrowth(shape)
    })

  it('is held of every component', () => {
    assert.deepEqual(Object.keys(COMPONENT_GROWTH).sort(), builtInComponents.map(({ type }) => type).sort())
  })

  it('is held of every reader', () => {
    const known = new Set([...READERS.flatMap(({ covers }) => covers), ...Object.keys(NO_READERS)])
    const readers = FILES.filter((path) => READER.test(path) && !NOT_LOOKED_AT.test(path))
    assert.deepEqual(
      readers.filter((path) => !known.has(path)).sort(),
      [],
      'give each a shape in test/growth/readers.ts'
    )
    assert.deepEqual(
      [...known].filter((path) => !FILES.includes(path)),
      []
    )
  })
})
