import {
  type ComputationFault,
  defineComponent,
  type FieldFault,
  type OutputLimit,
  outputTooLarge,
  StepError
} from '../../plugin-api.ts'

const EXAMPLE = `// data is what came in; what is returned goes on.
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
      default: EXAMPLE,
      help: 'JavaScript or TypeScript: the body of a function of data. What it returns is the result; await and console.log work.'
    },
    timeout_ms: {
      kind: 'number',
      title: 'Most time (ms)',
      default: 5_000,
      min: 10,
      max: 300_000,
      integer: true,
      hidden: true
    },
    memory_mb: {
      kind: 'number',
      title: 'Most memory (MB)',
      default: 64,
      min: 8,
      max: 512,
      integer: true,
      hidden: true
    }
  },
  inputs: { data: { type: 'any', title: 'Data' } },
  outputs: { result: { type: 'any', title: 'Result' } },
  check: ({ code: source }) => emptyFault(source),
  run: async ({ fields, inputs, compute, outputLimit }) => {
    const { code: source, timeout_ms: timeoutMs, memory_mb: memoryMb } = fields
    const limits = { timeoutMs, memoryMb }
    const computed = await compute({ language: 'javascript', source, data: inputs.data, ...limits })
    if (computed.kind === 'failed') throw codeError(computed, { ...limits, output: outputLimit })
    return computed.kind === 'silent' ? {} : { result: computed.value }
  }
})

function emptyFault(source: string): readonly FieldFault[] {
  return source.trim() === ''
    ? [{ field: 'code', message: 'It is empty. Write code that returns a result, such as return data.' }]
    : []
}

interface Limits {
  readonly timeoutMs: number
  readonly memoryMb: number
  readonly output: OutputLimit
}

function codeError(fault: ComputationFault, { timeoutMs, memoryMb, output }: Limits): StepError {
  switch (fault.why) {
    case 'syntax':
      return failed('code_syntax', `${placed(fault)}. Mend the code.`)
    case 'error':
      return failed('code_failed', `${placed(fault)}.${hintFor(fault.message)}`)
    case 'timeout':
      return failed(
        'code_timeout',
        `It took longer than ${timeoutMs} ms and was ended. Make it faster, give it less data, or raise timeout_ms among its fields.`
      )
    case 'memory':
      return failed(
        'code_memory',
        `It needed more than ${memoryMb} MB of memory. Work on less data at once, or raise memory_mb among its fields.`
      )
    case 'unsettled':
      return failed(
        'code_failed',
        'It waits for a promise that nothing settles. There are no timers and no requests inside.'
      )
    case 'result':
      return failed(
        'code_result',
        `The result cannot be written as JSON: ${fault.message}. Return texts, numbers, booleans, null, lists and plain objects.`
      )
    case 'size':
      return outputTooLarge(output, { advice: 'Return less' })
    case 'crash':
      return failed('code_failed', `The thread that ran it ended before it answered: ${fault.message}.`)
  }
}

function failed(code: string, message: string): StepError {
  return new StepError(message, { code, retryable: false })
}

function placed({ message, line, column }: ComputationFault): string {
  const words = message.replace(/[.\s]+$/, '')
  if (line === undefined) return words
  return column === undefined ? `Line ${line}: ${words}` : `Line ${line}, column ${column}: ${words}`
}

/** What people look for in code that runs elsewhere. */
const NOT_INSIDE: readonly [name: RegExp, hint: string][] = [
  [/^(?:fetch|XMLHttpRequest|WebSocket)$/, 'There is no network inside: use API Request before or after it.'],
  [/^(?:require|module|exports)$/, 'There are no modules inside.'],
  [/^(?:setTimeout|setInterval|setImmediate)$/, 'There are no timers inside: use Delay.'],
  [/^(?:process|Deno|Bun|Buffer|window|document)$/, 'Inside is the JavaScript language and nothing else.']
]

function hintFor(message: string): string {
  const name = /^ReferenceError: (\S+) is not defined$/.exec(message)?.[1]
  const hint = NOT_INSIDE.find(([pattern]) => name !== undefined && pattern.test(name))?.[1]
  return hint === undefined ? '' : ` ${hint}`
}
