import { literalText } from '../expressions/template-text.ts'
import { type Members, textOf } from '../values.ts'
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
  const step = conditionOf(
    rows.map((row) => ({
      left: write.template(`{{ ${textOf(row.variable)} }}`),
      operator: OPERATORS[textOf(row.operation)] ?? 'equals',
      right: literalText(textOf(row.value))
    })),
    write
  )
  return byNames(step, rows.map(outputName))
}

const plainName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const outputName = ({ output }: Members) => plainName(textOf(output))

/** Outputs are called by the names that their rows give them; what is no row's, as "end", is the rest. */
function byNames(step: Step, names: readonly string[]): Step {
  const { become } = step
  const numberOf = (output: string) => {
    const at = names.indexOf(plainName(output))
    return at >= 0 || /^\d+$/.test(output) ? `${at >= 0 ? at : output}` : `${Math.max(1, names.length)}`
  }
  return { ...step, become: { ...become, gives: (output) => become.gives(numberOf(output)) } }
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
  const names = rows.map(outputName)
  const ways = rows.map(({ value, output }) => scenarios.indexOf(textOf(value) || textOf(output)))
  const gives = (output: string) => {
    const at = names.indexOf(plainName(output))
    return step.become.gives(at < 0 ? `${/^\d+$/.test(output) ? output : scenarios.length}` : `${ways[at]}`)
  }
  return { ...step, become: { ...step.become, gives } }
}

export const customFunction: Mapping = (node, write): Step => {
  const values = Object.entries(valuesOf(node.inputs.functionInputVariables))
  const rows = values.map(([variableName, variableValue]) => ({ variableName, variableValue }))
  return { become: functionOf(textOf(node.inputs.javascriptFunction), rows, write) }
}
