import type { TSchema } from 'typebox'
import { Compile, Errors } from 'typebox/schema'
import { Settings } from 'typebox/system'
import type { Fault } from '../../errors.ts'
import type { Turns } from '../in-turns.ts'
import { shapeFaults } from '../json/shape-faults.ts'

// TypeBox stops after eight by itself, and a person would mend a document eight faults at a time.
Settings.Set({ maxErrors: 10_000 })

/** Whoever has so many to mend sends the document again before the next. */
const MOST_FOUND = 1_000
/** Parts of a list that are looked at in one turn. */
const AT_ONCE = 100

type Members = Readonly<Record<string, unknown>>
type ObjectSchema = { readonly properties: Readonly<Record<string, TSchema>> }

/**
 * Judges documents by the schema of an object with lists. Undefined where one fits, which its compiled check tells in 10 ms for the
 * largest. Looking for errors takes a second for it: that is done part by part of its lists. Compiling takes 10 ms as well,
 * so it waits for the first document.
 */
export function shapeCheck(
  schema: TSchema,
  remedies: Readonly<Record<string, string>> = {}
): (document: Members) => Turns<Fault[] | undefined> {
  const compile = () => Compile(schema)
  let shape: ReturnType<typeof compile> | undefined
  const { properties } = schema as unknown as ObjectSchema
  const lists = Object.entries(properties).filter(([, member]) => hasParts(member))
  return function* check(document: Members): Turns<Fault[] | undefined> {
    shape ??= compile()
    if (shape.Check(document as unknown)) return undefined
    yield
    const apart = lists.filter(([name]) => Array.isArray(document[name]))
    const empty: Members = Object.fromEntries(apart.map(([name]) => [name, []]))
    const [, errors] = Errors(schema, { ...document, ...empty })
    const faults = shapeFaults(errors, document, remedies)
    for (const [name, list] of apart) {
      const left = MOST_FOUND - faults.length
      if (left > 0) faults.push(...(yield* listFaults(document, name, { list, remedies, most: left })))
    }
    return faults
  }
}

function hasParts(schema: TSchema): boolean {
  const { type, items } = schema as { readonly type?: unknown; readonly items?: { readonly type?: unknown } }
  return type === 'array' && items?.type === 'object'
}

interface ListCheck {
  readonly list: TSchema
  readonly remedies: Readonly<Record<string, string>>
  readonly most: number
}

function* listFaults(
  document: Members,
  name: string,
  { list, remedies, most }: ListCheck
): Turns<readonly Fault[]> {
  const parts = document[name] as readonly unknown[]
  const found: Fault[] = []
  for (let from = 0; from < parts.length && found.length < most; from += AT_ONCE) {
    const some = parts.slice(from, from + AT_ONCE)
    const [, errors] = Errors(list, some)
    const atTheirPlaces = errors.map((error) => ({
      ...error,
      instancePath: error.instancePath.replace(/^\/(\d+)/, (_, at) => `/${name}/${from + Number(at)}`)
    }))
    if (errors.length > 0) found.push(...shapeFaults(atTheirPlaces, document, remedies))
    yield
  }
  return found.slice(0, most)
}
