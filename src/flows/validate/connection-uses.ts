import type { Fault } from '../../errors.ts'
import { type ConnectionField, defaultOf, type Fields } from '../component/component.ts'
import { fillVariables, readsVariables } from '../component/context-variables.ts'
import type { FlowNode } from '../document/flow-document.ts'
import type { JsonValue } from '../json/exact-json.ts'
import { escapePointer } from '../json/json-pointer.ts'

/** A place in a flow that names a connection. */
export interface ConnectionUse {
  readonly node: string
  readonly field: string
  /** As it stands in the document; it may read variables of the context. */
  readonly name: string
  /** The kinds that fit. */
  readonly kinds: readonly string[]
}

export type ComponentFields = Fields

type FieldsOf = (type: string) => Fields | undefined

/** Which connections a document names, node by node. Where none was chosen, none is named. */
export function connectionUses(
  { nodes }: { readonly nodes: readonly Readonly<FlowNode>[] },
  fieldsOf: FieldsOf
): ConnectionUse[] {
  return nodes.flatMap((node) => usesOfNode(node, fieldsOf(node.type) ?? {}))
}

function usesOfNode(node: Readonly<FlowNode>, fields: Fields): ConnectionUse[] {
  return connectionFields(fields).flatMap(([field, { kinds }]) => {
    const name = chosenName(node, field, fields[field] as ConnectionField)
    return name === '' ? [] : [{ node: node.id, field, name, kinds }]
  })
}

/** What keeps a flow from being saved: a connection that a component cannot do without was not even named. */
export function unnamedConnections(node: FlowNode, fields: Fields, path: string): Fault[] {
  return connectionFields(fields)
    .filter(([name, field]) => field.optional !== true && chosenName(node, name, field) === '')
    .map(([name, field]) => ({
      code: 'missing_connection',
      path: `${path}/fields/${escapePointer(name)}`,
      node: node.id,
      field: name,
      message:
        `Field "${name}" of node "${node.id}" names no connection. Choose one of the kind ` +
        `${either(field.kinds)}, or write the name of one that you will make later.`
    }))
}

function either(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]*)$/, ' or $1')
}

function connectionFields(fields: Fields): [string, ConnectionField][] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'connection' ? [[name, field] satisfies [string, ConnectionField]] : []
  )
}

/** What is not text is told of as a fault of the field. */
function chosenName(node: Readonly<FlowNode>, name: string, field: ConnectionField): string {
  const value = Object.hasOwn(node.fields, name) ? node.fields[name] : defaultOf(field)
  return typeof value === 'string' ? value : ''
}

/** The name that a step would look up: with the variables of the context filled in, as far as these are set. */
export function usedName(
  { name, field }: Pick<ConnectionUse, 'name' | 'field'>,
  variables: Readonly<Record<string, JsonValue>>
): string {
  if (!readsVariables(name)) return name
  try {
    return fillVariables(name, field, variables)
  } catch {
    return name
  }
}

export type UseState = 'found' | 'missing' | 'wrong_kind'

/** How a use stands, with the connection that the context means by its name. */
export function stateOfUse(
  { kinds }: Pick<ConnectionUse, 'kinds'>,
  seen: { readonly kind: string } | undefined
): UseState {
  if (seen === undefined) return 'missing'
  return kinds.includes(seen.kind) ? 'found' : 'wrong_kind'
}
