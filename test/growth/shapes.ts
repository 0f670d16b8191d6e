import type { JsonValue } from '../../src/flows/json/exact-json.ts'
import { DATA_SHAPES, HEAVY_SHAPES, TEXT_SHAPES } from './data-shapes.ts'
import type { Shape, Work } from './measure.ts'

/** A reader of what others send or write, with the files that it is the test of. */
export interface Reader {
  readonly name: string
  readonly covers: readonly string[]
  readonly shapes: readonly Shape[]
}

/** What Node lets in as one header, and as all together, has 16 kB. */
export const HEADER = 4_000
/** Four times this is the largest body of a webhook, unless somebody allows more. */
export const BODY = 256 * 1024
/** The same for data: 20,000 items. */
export const ITEMS = 5_000

export function texts(n: number, read: (text: string) => unknown): Shape[] {
  return shapesOf(TEXT_SHAPES, n, (text) => () => read(text))
}

/** `only` names the shapes; all that are not heavy where it is left out. */
export function data(read: (value: JsonValue) => Work, n = ITEMS, only?: readonly string[]): Shape[] {
  if (only === undefined) return shapesOf(DATA_SHAPES, n, read)
  const all = { ...DATA_SHAPES, ...HEAVY_SHAPES }
  return shapesOf(Object.fromEntries(only.map((name) => [name, all[name]!])), n, read)
}

export function shapesOf<T>(
  all: Readonly<Record<string, (n: number) => T>>,
  n: number,
  workOn: (made: T) => Work
): Shape[] {
  return Object.entries(all).map(([name, make]) => ({ name, n, make: (size) => workOn(once(make, size)) }))
}

export const shape = (name: string, n: number, make: Shape['make']): Shape => ({ name, n, make })

/** Made for the first that asks: to make them takes longer than most take to read them. */
const made = new Map<unknown, Map<number, unknown>>()

const copies = new WeakMap<object, JsonValue>()

/** Another one with the same in it. To copy a million members takes longer than to compare them. */
export function equalTo(data: JsonValue): JsonValue {
  if (typeof data !== 'object' || data === null) return data
  const copy = copies.get(data) ?? structuredClone(data)
  copies.set(data, copy)
  return copy
}

/** What is kept of them would be looked through for garbage while others are measured. */
export function forgetShapes(): void {
  made.clear()
}

function once<T>(make: (n: number) => T, n: number): T {
  const sizes = made.get(make) ?? new Map<number, unknown>()
  made.set(make, sizes)
  if (!sizes.has(n)) sizes.set(n, make(n))
  return sizes.get(n) as T
}

export const json = (n: number, item: string) =>
  `[${`${item},`.repeat(Math.floor(n / (item.length + 1)))}${item}]`
