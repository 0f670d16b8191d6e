import { createRequire } from 'node:module'
import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import { type FieldFault, type JsonValue, StepError } from '../../plugin-api.ts'
import { longestList, withPlainNumbers } from './expression-data.ts'

type Cel = typeof import('@marcbachmann/cel-js')

/** An expression in CEL over `data`, and over what else it was compiled with. */
export interface Expression {
  readonly ast: ASTNode
  /** Throws a StepError. */
  evaluate(data: JsonValue, others?: Readonly<Record<string, JsonValue>>): unknown
}

/** What is wrong with the text of an expression, and where. */
export class ExpressionError extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.name = 'ExpressionError'
    this.offset = offset
  }
}

const LIMITS = { maxAstNodes: 1_000, maxDepth: 50 }
/** Loops over lists, in each other. */
const DEEPEST_LOOP = 3
/** Turns of the innermost loop. One takes a few microseconds, and everything else waits meanwhile. */
const MOST_TURNS = 200_000
const LOOPS = ['all', 'exists', 'exists_one', 'map', 'filter']

/** By the names that an expression may use: to make one takes longer than to parse. */
const environments = new Map<string, Environment>()

/** Throws an ExpressionError. `others` are names that it may use besides `data`. */
export function compileExpression(text: string, others: readonly string[] = []): Expression {
  const parsed = parse(text, ['data', ...others])
  const depth = loopDepth(parsed.ast)
  if (depth > DEEPEST_LOOP)
    throw new ExpressionError(`It has more than ${DEEPEST_LOOP} loops in each other. Use fewer.`, 0)
  return {
    ast: parsed.ast,
    evaluate: (given, more) => {
      const data = withPlainNumbers(given)
      if (depth > 0 && longestList(data) ** depth > MOST_TURNS) throw tooCostly()
      try {
        return parsed(more === undefined ? { data } : { ...(withPlainNumbers(more) as object), data })
      } catch (error) {
        throw failed(error)
      }
    }
  }
}

export function expressionFault(
  field: string,
  text: string,
  others?: readonly string[]
): FieldFault | undefined {
  try {
    compileExpression(text, others)
    return undefined
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    const before = text.slice(0, error.offset).split('\n')
    return { field, message: error.message, line: before.length, column: before.at(-1)!.length + 1 }
  }
}

function parse(text: string, names: readonly string[]) {
  if (text.trim() === '')
    throw new ExpressionError('It is empty. Write a condition, such as data.total > 100.', 0)
  try {
    const parsed = environmentWith(names).parse(text)
    refuseMatches(parsed.ast)
    const checked = parsed.check()
    if (!checked.valid) throw checked.error
    return parsed
  } catch (error) {
    if (error instanceof ExpressionError) throw error
    const { summary, start } = toldBy(error)
    throw new ExpressionError(inPlainWords(summary), start)
  }
}

/** What people get wrong most often, with what to do. */
const PLAIN_WORDS: readonly [told: RegExp, words: string][] = [
  [/^.*\bEOF$/, 'It ends before it is complete. Finish it, such as data.total > 100.'],
  [/^Unexpected character: =$/, 'One = compares nothing. Write == to compare.'],
  [/^Unknown variable: (\w+)$/, 'There is no "$1" here. For a key of the data, write data.$1.']
]

function inPlainWords(told: string): string {
  for (const [pattern, words] of PLAIN_WORDS) if (pattern.test(told)) return told.replace(pattern, words)
  return `${told}.`
}

function environmentWith(names: readonly string[]): Environment {
  const key = names.join()
  const made = environments.get(key) ?? newEnvironment(names)
  environments.set(key, made)
  return made
}

/** CEL is loaded when the first expression is compiled: 40 ms that a service without any does not pay. */
function newEnvironment(names: readonly string[]): Environment {
  const cel = createRequire(import.meta.url)('@marcbachmann/cel-js') as Cel
  const made = new cel.Environment({
    unlistedVariablesAreDyn: false,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: LIMITS
  })
  for (const name of names) made.registerVariable(name, 'dyn')
  // Numbers of JSON are doubles, and `data.total + 1` adds an int to one, which CEL by itself refuses.
  for (const [sign, compute] of MIXED) {
    for (const pair of [`double ${sign} int`, `int ${sign} double`])
      made.registerOperator(pair, (left: unknown, right: unknown) => compute(Number(left), Number(right)))
  }
  made.registerOperator('double % double', (left: number, right: number) => left % right)
  return made
}

const MIXED: readonly [sign: string, compute: (left: number, right: number) => number][] = [
  ['+', (left, right) => left + right],
  ['-', (left, right) => left - right],
  ['*', (left, right) => left * right],
  ['/', (left, right) => left / right],
  ['%', (left, right) => left % right]
]

/** It would be a pattern of JavaScript, which can take years, and nothing can be put in its place. */
function refuseMatches(node: ASTNode): void {
  if ((node.op === 'rcall' || node.op === 'call') && node.args[0] === 'matches') {
    throw new ExpressionError(
      'matches() cannot be used in expressions. Use contains(), startsWith() or endsWith(), or the operator "matches" of the mode Compare.',
      node.start
    )
  }
  for (const child of childrenOf(node)) refuseMatches(child)
}

function loopDepth(node: ASTNode): number {
  if (node.op === 'rcall' && LOOPS.includes(node.args[0])) {
    const [, list, inner] = node.args
    return Math.max(loopDepth(list), 1 + deepestOf(inner))
  }
  return deepestOf(childrenOf(node))
}

function deepestOf(nodes: readonly ASTNode[]): number {
  return nodes.reduce((deepest, node) => Math.max(deepest, loopDepth(node)), 0)
}

function childrenOf({ args }: ASTNode): ASTNode[] {
  return ([args] as unknown[]).flat(3).filter(isNode)
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value
}

function toldBy(error: unknown): { readonly summary: string; readonly start: number } {
  const { summary, message, range } = error as Error & { summary?: string; range?: { start: number } }
  return { summary: summary ?? message.split('\n')[0]!, start: range?.start ?? 0 }
}

function failed(error: unknown): StepError {
  const { summary } = toldBy(error)
  const key = /^No such key: (.+)$/.exec(summary)?.[1]
  const remedy =
    key === undefined
      ? 'Check what the data holds.'
      : `Ask with has(…) whether it is there, or write .?${key} with .orValue(…) for one that may be absent.`
  return new StepError(`The expression failed: ${summary}. ${remedy}`, {
    code: 'expression_failed',
    retryable: false,
    cause: error
  })
}

function tooCostly(): StepError {
  return new StepError(
    'The lists of the data are too long for the loops of the expression. Shorten the lists first, or use fewer loops in each other.',
    { code: 'expression_too_costly', retryable: false }
  )
}
