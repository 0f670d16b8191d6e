import { createRequire } from 'node:module'
import type { FieldFault } from '../../plugin-api.ts'
import { longestPath } from './longest-path.ts'

/** They take about a millisecond to read, and nobody writes so many. */
const MOST_STEPS = 100
/** In characters, which take up to 30 milliseconds to read. */
const LONGEST = 20_000

/** What JSONata throws, which is no Error. */
interface SyntaxFault {
  readonly message: string
  /** Where the token ends that it stumbled over. */
  readonly position?: number
  readonly token?: string
}

/** What is wrong with an expression in JSONata. It is only read here: to evaluate one is the sandbox's business. */
export function expressionFault(field: string, text: string): FieldFault | undefined {
  if (text.length > LONGEST)
    return { field, message: `It has more than ${LONGEST} characters. Split it in two.` }
  if (longestPath(text) > MOST_STEPS)
    return { field, message: `It has a path of more than ${MOST_STEPS} steps. Split it in two.` }
  const jsonata = createRequire(import.meta.url)('jsonata') as (text: string) => unknown
  try {
    jsonata(text)
    return undefined
  } catch (error) {
    if (error instanceof RangeError)
      return { field, message: 'It is nested too deep to be read. Split it in two.' }
    const fault = error as SyntaxFault
    return { field, message: `${fault.message}. Correct it there.`, ...placeOf(fault, text) }
  }
}

function placeOf({ position, token = '' }: SyntaxFault, text: string): { line?: number; column?: number } {
  if (position === undefined) return {}
  const start = position - token.length
  const before = text.slice(0, text.slice(start, position) === token ? start : position).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}
