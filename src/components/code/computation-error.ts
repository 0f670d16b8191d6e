import { type ComputationFault, type OutputLimit, outputTooLarge, StepError } from '../../plugin-api.ts'

interface Limits {
  readonly timeoutMs: number
  readonly memoryMb: number
  readonly output: OutputLimit
}

/** The error of a step whose code has failed; its code begins with `kind`. */
export function computationError(
  kind: 'code' | 'transform',
  fault: ComputationFault,
  { timeoutMs, memoryMb, output }: Limits
): StepError {
  const failed = (code: string, message: string) =>
    new StepError(message, { code: `${kind}_${code}`, retryable: false })
  switch (fault.why) {
    case 'syntax':
      return failed('syntax', `${placed(fault)}.`)
    case 'error':
      return failed('failed', `${placed(fault)}.${hintFor(fault.message)}`)
    case 'timeout':
      return failed(
        'timeout',
        `It took longer than ${timeoutMs} ms and was ended. Make it faster, give it less data, or raise timeout_ms among its fields.`
      )
    case 'memory':
      return failed(
        'memory',
        `It needed more than ${memoryMb} MB of memory. Work on less data at once, or raise memory_mb among its fields.`
      )
    case 'unsettled':
      return failed(
        'failed',
        'It waits for a promise that nothing settles. There are no timers and no requests inside.'
      )
    case 'result':
      return failed(
        'result',
        `The result cannot be written as JSON: ${fault.message}. Give back texts, numbers, booleans, null, lists and plain objects.`
      )
    case 'size':
      return outputTooLarge(output, { advice: 'Give back less' })
    case 'crash':
      return failed('failed', `The thread that ran it ended before it answered: ${fault.message}.`)
  }
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
