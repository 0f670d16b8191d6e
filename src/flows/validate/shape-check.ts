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
 * Judges documents by the schema of an object with lists. Undefined where one fits, which its compiled check tells in some 80 ms for
 * the largest, and in turns where it is long. Looking for errors takes a second for it: that is done part by part of its lists.
 * Compiling takes 10 ms as well, so it waits for the first document.
 */
export function shapeCheck(
  schema: TSchema,
  remedies: Readonly<Record<string, string>> = {}
): (document: Members) => Turns<Fault[] | undefined> {
  const shape = compiledOnce(schema)
  const { properties } = schema as unknown as ObjectSchema
  const lists = Object.entries(properties).filter(([, member]) => hasParts(member))
  const shapesOfLists = new Map(lists.map(([name, list]) => [name, compiledOnce(list)]))
  return function* check(document: Members): Turns<Fault[] | undefined> {
    const apart = lists.filter(([name]) => Array.isArray(document[name]))
    const empty: Members = Object.fromEntries(apart.map(([name]) => [name, []]))
    if (apart.every(([name]) => isShort(document[name] as unknown[]))) {
      if (shape().Check(document as unknown)) return undefined
    } else if (shape().Check({ ...document, ...empty } as unknown)) {
      // How many there may be is judged before.
      if (yield* doPartsFit(document, shapesOfLists)) return undefined
    }
    yield
    const [, errors] = Errors(schema, { ...document, ...empty })
    const faults = shapeFaults(errors, document, remedies)
    for (const [name, list] of apart) {
      const left = MOST_FOUND - faults.length
      if (left > 0) faults.push(...(yield* listFaults(document, name, { list, remedies, most: left })))
    }
    return faults
  }
}

/** Parts, and items of lists in them, that are judged at once. */
const MOST_JUDGED = 5_000

/** The place after as many parts, from this one on, as are judged at once. */
function partsUpTo(parts: readonly unknown[], from: number): number {
  let weight = 0
  let to = from
  while (to < parts.length && weight < MOST_JUDGED) weight += itemsIn(parts[to++])
  return to
}

const isShort = (parts: readonly unknown[]) => partsUpTo(parts, 0) === parts.length

/** An object has few members, which is judged before. */
function itemsIn(part: unknown): number {
  const members = typeof part === 'object' && part !== null ? Object.values(part) : []
  return members.reduce<number>((sum, member) => sum + (Array.isArray(member) ? member.length : 0), 1)
}

type Shape = () => Pick<ReturnType<typeof Compile>, 'Check'>

function compiledOnce(schema: TSchema): Shape {
  let compiled: ReturnType<Shape> | undefined
  return () => {
    compiled ??= Compile(schema)
    return compiled
  }
}

function* doPartsFit(document: Members, shapes: ReadonlyMap<string, Shape>): Turns<boolean> {
  for (const [name, shape] of shapes) {
    const parts = document[name]
    if (!Array.isArray(parts)) continue
    for (let from = 0; from < parts.length; ) {
      const to = partsUpTo(parts, from)
      if (!shape().Check(parts.slice(from, to) as unknown)) return false
      from = to
      yield
    }
  }
  return true
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
