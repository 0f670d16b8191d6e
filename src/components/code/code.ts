import { defineComponent } from '../../plugin-api.ts'
import { computationError } from './computation-error.ts'
import { LIMIT_FIELDS } from './compute-fields.ts'

const START = `// data is what came in; what is returned goes on.
return data`

export const code = defineComponent({
  type: 'code',
  title: 'Code',
  description: 'Computes a result in JavaScript or TypeScript, apart from everything else.',
  category: 'Processing',
  icon: 'code',
  keywords: ['javascript', 'typescript', 'js', 'ts', 'function', 'script', 'custom', 'compute', 'calculate'],
  example: 'return { total: data.items.reduce((sum, item) => sum + item.price, 0) }',
  effects: 'pure',
  fields: {
    code: {
      kind: 'text',
      multiline: true,
      language: 'javascript',
      title: 'Code',
      default: START,
      help: 'JavaScript or TypeScript: the body of a function of data. What it returns is the result; await and console.log work.'
    },
    ...LIMIT_FIELDS
  },
  inputs: { data: { type: 'any', title: 'Data' } },
  outputs: { result: { type: 'any', title: 'Result' } },
  check: ({ code: source }) =>
    source.trim() === ''
      ? [{ field: 'code', message: 'It is empty. Write code that returns a result, such as return data.' }]
      : [],
  run: async ({ fields, inputs, compute, outputLimit }) => {
    const limits = { timeoutMs: fields.timeout_ms, memoryMb: fields.memory_mb }
    const computed = await compute({
      language: 'javascript',
      source: fields.code,
      data: inputs.data,
      ...limits
    })
    if (computed.kind === 'failed')
      throw computationError('code', computed, { ...limits, output: outputLimit })
    return computed.kind === 'silent' ? {} : { result: computed.value }
  }
})
