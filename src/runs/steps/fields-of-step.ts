import type { StepCall } from '../../engine/effects.ts'
import type { Step } from '../../flows/component/component.ts'
import { fillVariables } from '../../flows/component/context-variables.ts'
import type { RunScope } from './run-scope.ts'

/** The fields of a node, with the variables of its context in them. */
export function fieldsOf({ node }: Pick<StepCall, 'node'>, variables: RunScope['variables']): Step['fields'] {
  if (node.variableFields.length === 0) return node.fields
  const fields = { ...node.fields }
  for (const name of node.variableFields)
    fields[name] = fillVariables(fields[name] as string, name, variables)
  return fields
}
