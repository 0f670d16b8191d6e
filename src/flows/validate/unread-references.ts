import type { Fault } from '../../errors.ts'
import type { Catalogue } from '../component/catalogue.ts'
import type { Field } from '../component/component.ts'
import type { FlowNode } from '../document/flow-document.ts'
import { escapePointer } from '../json/json-pointer.ts'
import { cutText } from '../template/quote-text.ts'

const REFERENCE = /\{\s*\$(?:nodes|data|run|flow|now)\b[^{}]*\}/

/** References in fields that are no templates: they stay as they are written, or fail the step. */
export function unreadReferences(
  { context, nodes }: { readonly context: string; readonly nodes: readonly Readonly<FlowNode>[] },
  catalogue: Pick<Catalogue, 'find'>
): Fault[] {
  return nodes.flatMap((node, index) => {
    if (node.disabled === true) return []
    const declared = catalogue.find(context, node.type)?.fields ?? {}
    return Object.entries(node.fields).flatMap(([name, value]) => {
      const field = Object.hasOwn(declared, name) ? declared[name] : undefined
      const found = field !== undefined && isPlainText(field) ? referenceIn(value) : undefined
      if (found === undefined) return []
      const message = `Field "${name}" of node "${node.id}" takes no templates: ${cutText(found, 80)} is not read there, only variables of the context are, such as {$region}. Write what is meant, or let a field that is a template read it.`
      const path = `/nodes/${index}/fields/${escapePointer(name)}`
      return [{ code: 'reference_not_read', path, node: node.id, field: name, message }]
    })
  })
}

function isPlainText(field: Field): boolean {
  return field.kind === 'text' && field.language === undefined && field.condition !== true
}

function referenceIn(value: unknown): string | undefined {
  // Looked for at every turn of the hand, and few texts have any.
  if (typeof value !== 'string' || !value.includes('$')) return undefined
  return REFERENCE.exec(value)?.[0]
}
