import { defineComponent, type FieldFault } from '../../plugin-api.ts'
import { computationError } from './computation-error.ts'
import { LIMIT_FIELDS } from './compute-fields.ts'
import { expressionFault } from './expression-fault.ts'

export const transform = defineComponent({
  type: 'transform',
  title: 'Transform',
  description: 'Gives data another shape by an expression in JSONata.',
  category: 'Processing',
  icon: 'function',
  keywords: ['jsonata', 'jq', 'json', 'map', 'mapping', 'reshape', 'query', 'expression', 'change'],
  example: '{ "customer": name, "total": $sum(items.(price * qty)) }',
  effects: 'pure',
  fields: {
    expression: {
      kind: 'text',
      multiline: true,
      language: 'jsonata',
      title: 'Expression',
      default: '$',
      help: 'JSONata: a name reads a key of the data, and $ is the data itself.'
    },
    ...LIMIT_FIELDS
  },
  mainFields: ['expression'],
  inputs: { data: { type: 'any', title: 'Data' } },
  outputs: { data: { type: 'any', title: 'Data' } },
  check: faultsOf,
  run: async ({ fields, inputs, compute, outputLimit }) => {
    const limits = { timeoutMs: fields.timeout_ms, memoryMb: fields.memory_mb }
    const { expression: source } = fields
    const computed = await compute({ language: 'jsonata', source, data: inputs.data, ...limits })
    if (computed.kind === 'failed')
      throw computationError('transform', computed, { ...limits, output: outputLimit })
    return computed.kind === 'silent' ? {} : { data: computed.value }
  }
})

function faultsOf({ expression }: { readonly expression: string }): FieldFault[] {
  if (expression.trim() === '')
    return [
      { field: 'expression', message: 'It is empty. Write an expression, such as $ for the data as it is.' }
    ]
  return [expressionFault('expression', expression) ?? []].flat()
}
