import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { after, describe, it } from 'node:test'
import { builtInComponents } from '../src/components/built-in.ts'
import { runStepPaced } from '../src/components/step.test-kit.ts'
import {
  type AnyComponent,
  type Field,
  type Fields,
  resolveFields
} from '../src/flows/component/component.ts'
import { atOnce, type Pacer } from '../src/flows/in-turns.ts'
import type { JsonValue } from '../src/flows/json/exact-json.ts'
import type { ReadDocuments } from '../src/flows/step/step-documents.ts'
import { checkFields } from '../src/flows/validate/check-fields.ts'
import { COMPONENT_GROWTH, type Run } from './growth/components.ts'
import { JSON_SHAPES, LIST_SHAPES, rowShapes, TEXT_SHAPES } from './growth/data-shapes.ts'
import { assertGrowth, type Shape } from './growth/measure.ts'
import { NO_READERS, READERS } from './growth/readers.ts'
import { data, forgetShapes, ITEMS } from './growth/shapes.ts'
import { WRITERS } from './growth/writers.ts'

const CHARACTERS = 8_000
/** What the largest data takes: more, as a join of equal rows would give, is in turns, and takes long to see. */
const OUTPUT = 2 * 1024 ** 2
const FILES = globSync('src/**/*.{ts,js}', { cwd: dirname(import.meta.dirname) })

/** Names of files that read, as they are named in this house. */
const READER =
  /\/(?:[a-z-]+-)?(?:parse|parser|read|reader|scan|decode|compile|lexer|redact|verify|signature|prefer|duration|cron|slug|validate|check)(?:-[a-z-]+)?\.[tj]s$/
const NOT_LOOKED_AT = /\.test|\.d\.ts$|^src\/(?:store|cli|simulation)\//

/** What a process of its own does is bounded by its time and memory. */
const readDocuments: ReadDocuments = async (_, documents) => documents.map(() => ({ value: 'read' }))

function runShapes(component: AnyComponent, runs: readonly Run[]): Shape[] {
  return runs.flatMap(({ fields, inputs = (given) => ({ data: given }), on }) =>
    data(
      (value) => {
        const given = inputs(value)
        const options = { fields, inputs: given, outputLimit: OUTPUT, readDocuments }
        return ({ pause }) => runStepPaced(component, options, pause)
      },
      ITEMS,
      on
    ).map((shape) => ({ ...shape, name: `${JSON.stringify(fields)} of ${shape.name}` }))
  )
}

const nodeOf = (type: string, fields: Run['fields']) => ({
  id: 'node',
  type,
  position: { x: 0, y: 0 },
  fields
})

/** Choices of a component that no run of it makes. */
function notChosen(component: AnyComponent, runs: readonly Run[]): string[] {
  return Object.entries((component.fields ?? {}) as Fields).flatMap(([name, field]) => {
    if (field.kind === 'choice')
      return missing(
        field.choices,
        runs.map((run) => run.fields[name] ?? field.default ?? field.choices[0])
      ).map((choice) => `${component.type}: ${name} ${choice}`)
    if (field.kind !== 'rows') return []
    return Object.entries(field.columns).flatMap(([column, { choices = [] }]) => {
      const rows = runs.flatMap((run) => (run.fields[name] ?? []) as Record<string, JsonValue>[])
      return missing(
        choices,
        rows.map((row) => row[column] ?? choices[0])
      ).map((choice) => `${component.type}: ${name} ${column} ${choice}`)
    })
  })
}

function missing(choices: readonly string[], made: readonly (JsonValue | undefined)[]): string[] {
  return choices.filter((choice) => !made.includes(choice))
}

/** What people can write into a field, by its kind; nothing of any length into any other. */
function writable(field: Field): Readonly<Record<string, (n: number) => JsonValue>> {
  switch (field.kind) {
    case 'json':
      return JSON_SHAPES
    case 'text':
    case 'template':
      return TEXT_SHAPES
    case 'list':
      return { ...LIST_SHAPES, ...asLongAs(field.maxItems, LIST_SHAPES) }
    case 'rows': {
      const rows = rowShapes(Object.keys(field.columns))
      return { ...rows, ...asLongAs(field.maxItems, rows) }
    }
    default:
      return {}
  }
}

/** Those that are too long are refused by that. As many as there may be are looked at, and each may be long. */
function asLongAs(most = 0, shapes: Readonly<Record<string, (n: number) => JsonValue[]>>) {
  return Object.fromEntries(
    Object.entries(shapes).map(([name, make]) => [
      `as many as there may be: ${name}`,
      (n: number) => make(n).slice(0, most)
    ])
  )
}

/** Saves a node with a field of every shape, and makes it ready to run where it is sound. */
function fieldShapes(component: AnyComponent): Shape[] {
  return Object.entries((component.fields ?? {}) as Fields).flatMap(([name, field]) =>
    Object.entries(writable(field)).map(([shape, make]) => ({
      name: `${name}: ${shape}`,
      n: CHARACTERS,
      make: (n: number) => {
        const fields = { [name]: make(n) }
        const node = nodeOf(component.type, fields)
        return () => {
          if (atOnce(checkFields(node, component, '')).length === 0)
            component.prepare?.(resolveFields(component, fields))
        }
      }
    }))
  )
}

/** A list of 250 kB: each placeholder would print all of it, and 32 of them far more than an output may have. */
const LARGE: JsonValue = { a: Array.from({ length: 45_000 }, (_, at) => at) }

/** A template may name a large value as often as its author likes, in each of its fields. */
function repeatedShapes(component: AnyComponent): Shape[] {
  return Object.entries((component.fields ?? {}) as Fields).flatMap(([name, field]) => {
    if (field.kind !== 'template' && field.kind !== 'json') return []
    const make = (n: number) => {
      const value = field.kind === 'json' ? membersOf(n) : '{a}'.repeat(n)
      const given = {
        fields: { [name]: value },
        inputs: { data: LARGE, a: LARGE },
        outputLimit: OUTPUT,
        readDocuments
      }
      return ({ pause }: Pacer) => runStepPaced(component, given, pause)
    }
    return [{ name: `${name}: a large value again and again`, n: 8, make }]
  })
}

function membersOf(n: number): JsonValue {
  return Object.fromEntries(Array.from({ length: n }, (_, at) => [`k${at}`, at % 2 === 0 ? '{a}' : 'x {a}']))
}

/** Work is held, not time: beside other tests some of these take minutes. */
const PATIENT = { timeout: 600_000 }

describe('work grows no faster than n log n, in turns of 50 ms', () => {
  // Other files have this process after it.
  after(forgetShapes)

  for (const component of builtInComponents) {
    const growth = COMPONENT_GROWTH[component.type] ?? []
    it(`of ${component.type}`, PATIENT, async () => {
      for (const shape of fieldShapes(component)) await assertGrowth(shape)
      for (const shape of repeatedShapes(component)) await assertGrowth(shape)
      if (!('elsewhere' in growth))
        for (const shape of runShapes(component, growth)) await assertGrowth(shape)
    })
  }

  for (const { name, shapes } of READERS)
    it(`of reading ${name}`, PATIENT, async () => {
      for (const shape of shapes) await assertGrowth(shape)
    })

  for (const { name, shapes } of WRITERS)
    it(`of writing ${name}`, PATIENT, async () => {
      for (const shape of shapes) await assertGrowth(shape)
    })

  it('is held of every component', () => {
    assert.deepEqual(Object.keys(COMPONENT_GROWTH).sort(), builtInComponents.map(({ type }) => type).sort())
  })

  it('is held of every choice that a component has', () => {
    const made = builtInComponents.flatMap((component) => {
      const growth = COMPONENT_GROWTH[component.type] ?? []
      return 'elsewhere' in growth ? [] : notChosen(component, growth)
    })
    // Who may start it is judged before the run.
    assert.deepEqual(
      made.filter((choice) => !choice.startsWith('webhook: ')),
      []
    )
  })

  it('is held of runs that there can be', () => {
    for (const component of builtInComponents) {
      const growth = COMPONENT_GROWTH[component.type] ?? []
      if ('elsewhere' in growth) continue
      for (const { fields } of growth)
        assert.deepEqual(
          atOnce(checkFields(nodeOf(component.type, fields), component, '')),
          [],
          component.type
        )
    }
  })

  it('is held of every reader', () => {
    const known = new Set([...READERS.flatMap(({ covers }) => covers), ...Object.keys(NO_READERS)])
    const readers = FILES.filter((path) => READER.test(path) && !NOT_LOOKED_AT.test(path))
    assert.deepEqual(
      readers.filter((path) => !known.has(path)).sort(),
      [],
      'give each a shape in test/growth/*-readers.ts'
    )
    assert.deepEqual(
      [...known].filter((path) => !FILES.includes(path)),
      []
    )
  })
})
