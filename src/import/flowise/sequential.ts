import { literalText } from '../expressions/template-text.ts'
import { textOf } from '../values.ts'
import { conditionOf, decided } from './conditions.ts'
import { functionOf } from './custom-function.ts'
import { rowsOf } from './flowise-node.ts'
import { modelOf } from './lent.ts'
import { type Mapping, made, type Step } from './step.ts'
import { valuesOf } from './writer.ts'

/** Steps of agentflows of version 1. */

export const seqStart: Mapping = (_node, write) => ({
  become: made({ main: { type: 'chat-input', fields: {} } }, write, {
    takes: 'main.text',
    gives: () => 'main.message'
  })
})

export const seqEnd: Mapping = (_node, write) => ({
  become: made({ main: { type: 'chat-output', fields: {} } }, write, {
    takes: 'main.text',
    gives: () => 'main.message'
  })
})

const OPERATORS: Readonly<Record<string, string>> = {
  Is: 'equals',
  'Is Not': 'does not equal',
  Contains: 'contains',
  'Not Contains': 'does not contain',
  'Starts With': 'starts with',
  'Ends With': 'ends with',
  'Is Empty': 'is empty',
  'Is Not Empty': 'is not empty',
  'Greater Than': 'is greater than',
  'Less Than': 'is less than',
  'Equal To': 'equals',
  'Not Equal To': 'does not equal',
  'Greater Than or Equal To': 'is at least',
  'Less Than or Equal To': 'is at most'
}

export const seqCondition: Mapping = (node, write) => {
  const rows = rowsOf(node.inputs.conditionUI)
  if (rows.length === 0) write.tell('Its condition was code: write it into the If-Else.')
  return conditionOf(
    rows.map((row) => ({
      left: write.template(`{{ ${textOf(row.variable)} }}`),
      operator: OPERATORS[textOf(row.operation)] ?? 'equals',
      right: literalText(textOf(row.value))
    })),
    write
  )
}

export const seqConditionAgent: Mapping = (node, write, place) => {
  const { inputs } = node
  const rows = rowsOf(inputs.conditionUI)
  const scenarios = [
    ...new Set(rows.map(({ value, output }) => textOf(value) || textOf(output)).filter((each) => each !== ''))
  ]
  const step = decided(
    {
      scenarios: scenarios.length === 0 ? ['Yes', 'No'] : scenarios,
      system: write.prompt(inputs.systemMessagePrompt, inputs.promptValues),
      prompt: write.prompt(inputs.humanMessagePrompt, inputs.promptValues) || write.question,
      model: modelOf(place, write)
    },
    write
  )
  return step
}

export const customFunction: Mapping = (node, write): Step => {
  const values = Object.entries(valuesOf(node.inputs.functionInputVariables))
  const rows = values.map(([variableName, variableValue]) => ({ variableName, variableValue }))
  return { become: functionOf(textOf(node.inputs.javascriptFunction), rows, write) }
}
