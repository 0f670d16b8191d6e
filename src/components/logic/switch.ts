import {
  compileTemplate,
  defineComponent,
  inField,
  inTurns,
  type JsonValue,
  StepError,
  scopeOf,
  type Turns,
  templateFault
} from '../../plugin-api.ts'
import { printedInTurns, sameAs } from '../expression/compare-values.ts'

/** Leads what reaches it one of many ways. */
export const switchCase = defineComponent({
  type: 'switch',
  title: 'Switch',
  description: 'Leads what reaches it the way of the first case that its value equals.',
  category: 'Logic',
  icon: 'split',
  keywords: [
    'case',
    'branch',
    'router',
    'route',
    'match',
    'decision',
    'choice',
    'select',
    'multiple branches'
  ],
  example: '{status} with the cases paid and refunded: each leaves by its own output, all others by Default.',
  effects: 'pure',
  fields: {
    value: { kind: 'template', title: 'Value', help: 'The value to compare.', placeholder: '{status}' },
    cases: {
      kind: 'list',
      title: 'Cases',
      item: 'case',
      help: 'Each is an output. What equals none leaves by Default.',
      maxItems: 50
    }
  },
  mainFields: ['value'],
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: { default: { title: 'Default', type: 'any', help: 'The data, where the value equals no case.' } },
  outputsFromList: 'cases',
  check: ({ value, cases }) => {
    const fault = templateFault(value)
    if (fault !== undefined) return [{ field: 'value', ...fault }]
    if (value.trim() === '')
      return [{ field: 'value', message: 'It is empty. Write what to compare, such as {status}.' }]
    const empty = cases.findIndex((text) => text.trim() === '')
    return empty < 0
      ? []
      : [{ field: 'cases', message: `Case ${empty + 1} is empty. Write its text, or remove it.` }]
  },
  prepare: ({ value }) => compileTemplate(value),
  run: (step) => {
    const { data, variables } = scopeOf(step.inputs.data as JsonValue | undefined, step.run.variables)
    const value = inField('value', () => step.prepared.renderValue(data, variables))
    return inTurns(wayOf(value, step.fields.cases, step.listedOutputs, step.inputs.data), step)
  }
})

function* wayOf(
  value: JsonValue | undefined,
  cases: readonly string[],
  outputs: readonly string[],
  data: unknown
): Turns<{ [output: string]: unknown }> {
  const at = cases.findIndex(sameAs(yield* printedInTurns(value)))
  const output = at < 0 ? 'default' : outputs[at]
  if (output === undefined)
    throw new StepError(`Case ${at + 1} has no output.`, { code: 'no_output', retryable: false })
  return { [output]: data }
}
