import type { Field } from '../../../../../src/flows/component/component.ts'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import type { Command } from '../../../editor/commands/command.ts'
import { equalJson } from '../../../editor/graph/equal-json.ts'
import type { Node } from '../../../editor/graph/flow.ts'
import { fieldValue } from '../fields/field-value.ts'
import { isWrittenForOne } from '../registry/written-for-one.ts'

export interface SharedField {
  readonly name: string
  readonly field: Field
  /** What all nodes have; undefined where they differ. */
  readonly value: JsonValue | undefined
}

/** Kinds that mean the same at every node. A template or a secret is written for one. */
const SHARED: readonly Field['kind'][] = ['boolean', 'choice', 'number', 'text', 'connection']

/** The fields that can be set for several nodes at once; none where they are not all of one type. */
export function sharedFields(
  nodes: readonly Node[],
  fieldsOf: (type: string) => Readonly<Record<string, Field>> | undefined
): SharedField[] {
  const [first, ...others] = nodes
  if (first === undefined || others.some(({ type }) => type !== first.type)) return []
  return Object.entries(fieldsOf(first.type) ?? {})
    .filter(
      ([name, field]) =>
        SHARED.includes(field.kind) && field.readonly !== true && !isWrittenForOne(first.type, name)
    )
    .map(([name, field]) => {
      const value = fieldValue(first, name, field)
      const isSame = others.every((node) => equalJson(fieldValue(node, name, field), value))
      return { name, field, value: isSame ? value : undefined }
    })
}

/** One step of undo for all of them. */
export function setShared(nodes: readonly Node[], field: string, value: JsonValue): Command {
  return {
    kind: 'all',
    commands: nodes.map(({ id }) => ({ kind: 'set-field', node: id, field, value })),
    label: `Edit ${field} of ${nodes.length} nodes`
  }
}
