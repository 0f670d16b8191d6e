import { type AnyComponent, resolveFields } from '../../../../src/flows/component/component.ts'
import { listedOutputsOf } from '../../../../src/flows/component/component-ports.ts'
import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import type { Node } from '../graph/flow.ts'

/**
 * The outputs of a node that get another name when one of its fields becomes this: a case of a Switch that is called
 * otherwise, or that moves up because one before it is gone. By their former names; undefined where none does.
 */
export function renamedOutputs(
  node: Node,
  component: AnyComponent | undefined,
  field: string,
  value: unknown
): Readonly<Record<string, string>> | undefined {
  if (component === undefined || component.outputsFromList !== field) return undefined
  const fields = resolveFields(component, node.fields as Record<string, JsonValue>)
  const [before, after] = [textsIn(fields[field]), textsIn(value)]
  const namesWith = (list: readonly string[]) =>
    listedOutputsOf(component, { ...fields, [field]: [...list] }, node.on_error)
  const [names, newNames] = [namesWith(before), namesWith(after)]
  const gone = placeOfGone(before, after)
  const renamed = names.flatMap((name, at) => {
    if (gone === undefined || at === gone) return []
    const newName = newNames[at > gone ? at - 1 : at]
    return newName === undefined || newName === name ? [] : [[name, newName] as const]
  })
  return renamed.length === 0 ? undefined : Object.fromEntries(renamed)
}

/** Of the text that was taken out; behind all where none was, and undefined where more has changed than one of them. */
function placeOfGone(before: readonly string[], after: readonly string[]): number | undefined {
  if (after.length >= before.length) return before.length
  if (after.length < before.length - 1) return undefined
  return before.findIndex((text, at) => text !== after[at])
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
