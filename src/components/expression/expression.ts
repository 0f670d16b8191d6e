import { createRequire } from 'node:module'
import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import { ExactNumber, type FieldFault, type JsonValue, StepError } from '../../plugin-api.ts'
import { boundEvaluator, boundNode, plain } from './bounded-evaluation.ts'
import { type Compare, callFault, compareCall } from './compare-call.ts'
import { COMPARE } from './compare-words.ts'
import { widenHas } from './has-call.ts'
import { registerMixed } from './mixed-types.ts'
import { type StepBudget, StepsSpent } from './step-budget.ts'

type Cel = typeof import('@marcbachmann/cel-js')

/** An expression in CEL over `data`, and over what else it was compiled with. */
export interface Expression {
  readonly ast: ASTNode
  /** Steps that the last evaluation took: 10,000 of them some 2 ms. */
  readonly spent: number
  /** Throws a StepError. */
  evaluate(data: JsonValue, others?: Readonly<Record<string, unknown>>): unknown
}

/** What is wrong with the text of an expression, and where. */
class ExpressionError extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.name = 'ExpressionError'
    this.offset = offset
  }
}

const LIMITS = { maxAstNodes: 1_000, maxDepth: 50 }
const TOO_DEEP = `It is nested deeper than ${LIMITS.maxDepth} levels. Use fewer.`
const TOO_LONG = `It has more than ${LIMITS.maxAstNodes} parts. Use fewer.`
/** Loops over lists, in each other. */
const DEEPEST_LOOP = 3
const LOOPS = ['all', 'exists', 'exists_one', 'map', 'filter']

/** By the names that an expression may use: to make one takes longer than to parse. */
const environments = new Map<string, Bounded>()

/** Throws an ExpressionError. `others` are names that it may use besides `data`. */
export function compileExpression(text: string, others: readonly string[] = []): Expression {
  const { parsed, budget, compare } = parse(text, ['data', ...others])
  if (loopDepth(parsed.ast) > DEEPEST_LOOP)
    throw new ExpressionError(`It has more than ${DEEPEST_LOOP} loops in each other. Use fewer.`, 0)
  boundNodes(parsed.ast, budget, compare)
  return new BoundedExpression(parsed, budget)
}

class BoundedExpression implements Expression {
  readonly ast: ASTNode
  spent = 0
  readonly #parsed: Parsed
  readonly #budget: StepBudget

  constructor(parsed: Parsed, budget: StepBudget) {
    this.ast = parsed.ast
    this.#parsed = parsed
    this.#budget = budget
  }

  evaluate(data: JsonValue, others?: Readonly<Record<string, unknown>>): unknown {
    this.#budget.begin()
    try {
      return this.#parsed(others === undefined ? { data } : { ...others, data })
    } catch (error) {
      throw error instanceof StepsSpent ? tooCostly() : error instanceof StepError ? error : failed(error)
    } finally {
      this.spent = this.#budget.spent
    }
  }
}

function boundNodes(node: ASTNode, budget: StepBudget, compare: Compare): void {
  boundNode(node, budget, compare)
  for (const child of childrenOf(node)) boundNodes(child, budget, compare)
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

type Parsed = ReturnType<Environment['parse']>

/** Expressions of the same names share an environment, and its budget: one is evaluated at a time. */
interface Bounded {
  readonly environment: Environment
  readonly budget: StepBudget
  readonly compare: Compare
}

function parse(text: string, names: readonly string[]): Omit<Bounded, 'environment'> & { parsed: Parsed } {
  if (text.trim() === '')
    throw new ExpressionError('It is empty. Write a condition, such as data.total > 100.', 0)
  try {
    const { environment, ...bounds } = environmentWith(names)
    const parsed = environment.parse(text)
    prepareCalls(parsed.ast, bounds.budget)
    const checked = parsed.check()
    if (!checked.valid) throw checked.error
    return { parsed, ...bounds }
  } catch (error) {
    if (error instanceof ExpressionError) throw error
    const { summary, start } = toldBy(error)
    throw new ExpressionError(inPlainWords(summary), start)
  }
}

/** What people get wrong most often, with what to do. */
const PLAIN_WORDS: readonly [told: RegExp, words: string][] = [
  [/^Maximum call stack size exceeded$|^Exceeded maxDepth\b.*$/, TOO_DEEP],
  [/^Exceeded maxAstNodes\b.*$/, TOO_LONG],
  [/^.*\bEOF$/, 'It ends before it is complete. Finish it, such as data.total > 100.'],
  [/^Unexpected character: =$/, 'One = compares nothing. Write == to compare.'],
  [/^has\(\) invalid argument$/, 'has() asks whether a key is there, such as has(data.total).'],
  [
    /^Expected IDENTIFIER, got (?:BOOLEAN|NULL|IN)$/,
    'The word behind the dot means something else in CEL. Write it in brackets, such as nodes["if-else-1"]["true"].'
  ],
  [/^Unknown variable: (\w+)$/, 'There is no "$1" here. For a key of the data, write data.$1.']
]

function inPlainWords(told: string): string {
  for (const [pattern, words] of PLAIN_WORDS) if (pattern.test(told)) return told.replace(pattern, words)
  return `${told}.`
}

function environmentWith(names: readonly string[]): Bounded {
  const key = names.join()
  const made = environments.get(key) ?? bounded(newEnvironment(names))
  environments.set(key, made)
  return made
}

function bounded(environment: Environment): Bounded {
  const budget = boundEvaluator(environment.parse('true'))
  const compare = compareCall(budget)
  for (const right of ['', ', dyn'])
    environment.registerFunction(`${COMPARE}(dyn, string${right}): bool`, compare)
  return { environment, budget, compare }
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
  made.registerType('exact', ExactNumber)
  registerMixed(made)
  return made
}

function prepareCalls(node: ASTNode, budget: StepBudget): void {
  const fault = callFault(node)
  if (fault !== undefined) throw new ExpressionError(fault, node.start)
  widenHas(node, (value) => plain(value, budget))
  for (const child of childrenOf(node)) prepareCalls(child, budget)
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
    'The expression takes too many steps with this data. Shorten its lists and texts first, use fewer loops in each other, or let Code compute it.',
    { code: 'expression_too_costly', retryable: false }
  )
}
