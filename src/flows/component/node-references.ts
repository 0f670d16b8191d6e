import { isReferenceName, type ReferenceName } from '../graph/run-references.ts'
import type { ReadBy } from '../graph/up-to-node.ts'
import { isPlainObject, type JsonValue } from '../json/exact-json.ts'
import { scanTemplate } from '../template/scan-template.ts'
import { codeReferences } from './code-references.ts'
import type { AnyComponent, Field } from './component.ts'

/** One place in a field that reads something of the run. */
export interface WrittenReference {
  readonly field: string
  /** The text that it stands in, and where. */
  readonly source: string
  readonly offset: number
  /** As it is written. */
  readonly text: string
  readonly name: ReferenceName
  /** The node that is named; undefined where none is, or where only the run tells which. */
  readonly node: string | undefined
  /** What a template reads of it: of `$run` and `$flow` a member, of `$nodes` an output. Undefined in code, which is not read so closely. */
  readonly member?: string | undefined
  /** `{…?}`: it may be absent. */
  readonly mayBeAbsent?: boolean
}

/** All that the fields of a node read of the run, field by field. */
export function* referencesIn(
  component: Pick<AnyComponent, 'fields'>,
  fields: Readonly<Record<string, unknown>>
): Generator<WrittenReference> {
  for (const [name, field] of Object.entries(component.fields ?? {}) as [string, Field][]) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (value === undefined) continue
    const language = languageOf(field)
    if (language !== undefined) {
      if (typeof value === 'string') yield* inCode(name, value, language)
    } else if (HOLD_TEMPLATES.includes(field.kind)) yield* inTemplates(name, value)
  }
}

/** The nodes that fields read, of those that lead to their node. Code that finds out by itself which it reads may read all. */
export function nodesRead(
  component: Pick<AnyComponent, 'fields'>,
  fields: Readonly<Record<string, unknown>>,
  before: ReadonlySet<string>
): string[] {
  const read = new Set<string>()
  for (const { name, node } of referencesIn(component, fields)) {
    if (node !== undefined) read.add(node)
    else if (name === 'nodes') return [...before]
  }
  return [...read].filter((id) => before.has(id))
}

/** What the nodes of a flow read by name, for whoever asks node by node. */
export function readBy(
  nodes: readonly { readonly id: string; readonly type?: unknown; readonly fields: object }[],
  componentOf: (type: string) => Pick<AnyComponent, 'fields'> | undefined
): ReadBy {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return (id, before) => {
    const { type, fields = {} } = byId.get(id) ?? {}
    const component = typeof type === 'string' ? componentOf(type) : undefined
    return component === undefined ? [] : nodesRead(component, { ...fields }, before)
  }
}

/** Texts in these may be templates, however deep they stand. */
const HOLD_TEMPLATES: readonly Field['kind'][] = ['template', 'json', 'list', 'rows']

function languageOf(field: Field): 'javascript' | 'jsonata' | 'cel' | undefined {
  if (field.kind !== 'text') return undefined
  return field.condition === true ? 'cel' : field.language
}

function* inCode(
  field: string,
  source: string,
  language: 'javascript' | 'jsonata' | 'cel'
): Generator<WrittenReference> {
  for (const found of codeReferences(source, language)) yield { field, source, ...found }
}

/** A list of what is left, since values are nested deeper than a function could call itself. */
function* inTemplates(field: string, value: unknown): Generator<WrittenReference> {
  const left = [value]
  while (left.length > 0) {
    const at = left.pop()
    if (typeof at === 'string') yield* inText(field, at)
    else if (Array.isArray(at) || isPlainObject(at))
      for (const inner of Object.values(at as Record<string, JsonValue>)) left.push(inner)
  }
}

function* inText(field: string, source: string): Generator<WrittenReference> {
  if (!source.includes('$')) return
  for (const piece of scanTemplate(source)) {
    if (piece.kind !== 'field') continue
    const { contextName, offset, text, steps, fallback } = piece.field
    if (contextName === undefined || !isReferenceName(contextName)) continue
    const isNode = contextName === 'nodes'
    const node = isNode ? steps[1]?.key : undefined
    const read = { node, member: steps[isNode ? 2 : 1]?.key, mayBeAbsent: fallback !== undefined }
    yield { field, source, offset, text: `{${text}}`, name: contextName, ...read }
  }
}
