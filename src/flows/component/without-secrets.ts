import type { FlowDocument, FlowNode } from '../document/flow-document.ts'
import type { Catalogue } from './catalogue.ts'
import type { Field } from './component.ts'

/**
 * The document for somebody who may look at it but not change it: what stands in fields of the kind `secret` is left
 * out. Left out and not masked: a mask that is imported elsewhere would be taken for the secret itself. Of a component
 * that is not there nobody knows which fields are secret, so all of them are left out.
 */
export function withoutSecrets(document: FlowDocument, catalogue: Pick<Catalogue, 'find'>): FlowDocument {
  return { ...document, nodes: document.nodes.map((node) => nodeWithout(node, document.context, catalogue)) }
}

function nodeWithout(node: FlowNode, context: string, catalogue: Pick<Catalogue, 'find'>): FlowNode {
  const secret = secretFields(node, context, catalogue)
  if (secret.length === 0) return node
  return {
    ...node,
    fields: Object.fromEntries(Object.entries(node.fields).filter(([name]) => !secret.includes(name)))
  }
}

/** The names of the fields that are left out. */
export function secretFields(
  { type, fields }: Pick<FlowNode, 'type' | 'fields'>,
  context: string,
  catalogue: Pick<Catalogue, 'find'>
): string[] {
  return secretsAmong(Object.keys(fields), catalogue.find(context, type))
}

/** The same of a component that was found; undefined where there is none. */
export function secretsAmong(
  names: readonly string[],
  component: { readonly fields?: unknown } | undefined
): string[] {
  if (component === undefined) return [...names]
  const kinds = (component.fields ?? {}) as Readonly<Record<string, Field>>
  return names.filter((name) => Object.hasOwn(kinds, name) && kinds[name]!.kind === 'secret')
}
