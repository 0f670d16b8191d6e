import type { Become } from './become.ts'
import { pathText } from './expressions/template-text.ts'

/**
 * While fields are written nobody knows yet what other nodes become. So a reference names the other node by its key, between signs
 * that no text has, until all are known.
 */
const OPEN = '\u{e000}'
const CLOSE = '\u{e001}'
/** Stands for the id of the node itself, in the fields of its parts. */
export const OWN_ID = '\u{e003}'
const REFERENCE = /\u{e000}([tc]):([^\u{e001}]*)\u{e001}/gu
/** The placeholder of a template that begins with one, with what stands for it where it is not there. */
const WHOLE = /\{\u{e000}t:([^\u{e001}]*)\u{e001}[^{}?]*\?([^{}]*)\}/gu

/** `$nodes.set-1.result`, to be followed by a path. */
function templateReference(key: string): string {
  return `${OPEN}t:${key}${CLOSE}`
}

/** `nodes["set-1"]?.["result"]` */
export function codeReference(key: string): string {
  return `${OPEN}c:${key}${CLOSE}`
}

/** `{$nodes.set-1.result.a.b?}`; undefined where no template can name the path. */
export function referencePlaceholder(
  key: string,
  path: readonly string[],
  fallback = ''
): string | undefined {
  const inside = path.length === 0 ? '' : pathText(['a', ...path])?.slice(1)
  if (inside === undefined || /[{}]/.test(fallback)) return undefined
  return `{${templateReference(key)}${inside}?${fallback}}`
}

interface Known {
  readonly becomes: ReadonlyMap<string, Become>
  readonly ids: ReadonlyMap<string, string>
  /** Whether a node has run, by its id, before the one that is written. */
  readonly isBefore: (id: string) => boolean
  /** Told of each that has not, by its key: nothing stands for it then. */
  readonly missing: (key: string) => void
}

/** All texts of a value with their references in place. */
export function resolveReferences<T>(value: T, known: Known): T {
  return eachText(value, (text) => (text.includes(OPEN) ? resolved(text, known) : text))
}

/** The ids that a value refers to. */
export function referencesOf(value: unknown, known: Pick<Known, 'becomes' | 'ids'>): string[] {
  const found: string[] = []
  eachText(value, (text) => {
    for (const [, , named] of text.matchAll(REFERENCE)) found.push(endOf(named!, known).id)
    return text
  })
  return found
}

export function resolveOwn<T>(value: T, id: string): T {
  return eachText(value, (text) => text.replaceAll(OWN_ID, id))
}

/** No deeper than what was read of the file. */
function eachText<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map((item) => eachText(item, change)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, eachText(inner, change)])
  ) as T
}

function resolved(text: string, known: Known): string {
  const kept = text.replace(WHOLE, (whole, named: string, fallback: string) =>
    known.isBefore(endOf(named, known).id) ? whole : gone(named, known, fallback)
  )
  return kept.replace(REFERENCE, (_, form: string, named: string) => {
    const { id, port } = endOf(named, known)
    if (form === 't') return `$nodes.${id}.${port}`
    return known.isBefore(id)
      ? `nodes[${JSON.stringify(id)}]?.[${JSON.stringify(port)}]`
      : gone(named, known, 'undefined')
  })
}

function gone(named: string, { missing }: Known, instead: string): string {
  missing(named.replace(/\u{e002}.*$/su, ''))
  return instead
}

/** A node, or an output of one. */
function endOf(
  named: string,
  { becomes, ids }: Pick<Known, 'becomes' | 'ids'>
): { id: string; port: string } {
  const slash = named.lastIndexOf('\u{e002}')
  const [key, output] = slash < 0 ? [named, '0'] : [named.slice(0, slash), named.slice(slash + 1)]
  const become = becomes.get(key)
  const end = become?.gives(output) ?? `main.${output}`
  const dot = end.indexOf('.')
  const [part, port] = [end.slice(0, dot), end.slice(dot + 1)]
  const at = Object.keys(become?.parts ?? {}).indexOf(part)
  return { id: at <= 0 ? (ids.get(key) ?? key) : `${ids.get(key)}-${part}`, port }
}

/** A key that names an output too. */
export function keyOfOutput(key: string, output: string): string {
  return `${key}\u{e002}${output}`
}
