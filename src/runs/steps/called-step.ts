import { CALL_PORT, type PlannedNode } from '../../engine/plan.ts'
import { StepError } from '../../engine/step-error.ts'
import { messageOf } from '../../errors.ts'
import type { Step } from '../../flows/component/component.ts'
import { atOnce } from '../../flows/in-turns.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import type { Woken } from '../../flows/step/step-wait.ts'
import type { ToolCall } from '../../flows/tools/tool.ts'
import { withArguments } from '../../flows/tools/tool-mode.ts'
import { checkedBy } from '../../flows/validate/check-fields.ts'

type Values = Pick<Step, 'inputs' | 'fields' | 'prepared'>

/** Runs a component as a tool: with what an agent has left, and with what the call brings. */
export function runCalled(
  node: PlannedNode,
  step: Step,
  woken: Woken | undefined,
  go: (step: Step) => unknown
) {
  const { component } = node
  const call = step.inputs[CALL_PORT] as ToolCall
  const own = Object.assign(step, valuesOf(node, step, call))
  const takes = component.tools?.call
  return takes === undefined || woken !== undefined ? go(own) : takes.call(component.tools, own, call)
}

function valuesOf({ component, called, prepared }: PlannedNode, step: Step, call: ToolCall): Values {
  const { [CALL_PORT]: _, ...inputs } = step.inputs as Readonly<Record<string, unknown>>
  const { mode = null } = called ?? {}
  if (mode === null) return { inputs: { ...inputs, data: call.arguments }, fields: step.fields, prepared }
  const given = { fields: step.fields as Readonly<Record<string, JsonValue>>, inputs }
  const values = withArguments(mode, component, given, call.arguments)
  if (mode.open.size === 0) return { ...values, prepared }
  const [fault] = atOnce(checkedBy(component, values.fields))
  if (fault !== undefined) throw unfit(`"${fault.field}": ${fault.message}`)
  return { ...values, prepared: preparedFor(component, values.fields) }
}

function preparedFor(component: PlannedNode['component'], fields: Values['fields']): unknown {
  try {
    return component.prepare?.(fields)
  } catch (error) {
    throw unfit(messageOf(error))
  }
}

function unfit(why: string): StepError {
  return new StepError(`The arguments do not fit: ${why}`, {
    code: 'tool_arguments_invalid',
    retryable: false
  })
}
