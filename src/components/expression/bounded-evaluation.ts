import type { ASTNode } from '@marcbachmann/cel-js'
import { ExactNumber, includesText, isPlainObject, type JsonValue } from '../../plugin-api.ts'
import type { Compare } from './compare-call.ts'
import { COMPARE, MATCHES } from './compare-words.ts'
import { isData, isMisleading, plainNumber, withoutConstructor, withPlainNumbers } from './expression-data.ts'
import { StepBudget } from './step-budget.ts'

/*
 * CEL has no hook to bound what it does, but every node of an expression is evaluated by the same two methods, and every
 * operator and function by a handler that stands in its node. So steps are counted in the first, and what takes longer than
 * a step, as it depends on the size of values, is paid for before the second is called.
 */

/** What CEL's evaluator is, as far as it is used here. */
interface Evaluator {
  run(ast: Evaluated, context: unknown): unknown
  tryEval(ast: Evaluated, context: unknown): unknown
  debugType(value: unknown): CelType
  debugTypeDeep(value: unknown): CelType
  readonly intType: CelType
  readonly doubleType: CelType
  readonly registry: {
    getListType(items: CelType): CelType
    getMapType(keys: CelType, values: CelType): CelType
  }
}

interface CelType {
  readonly kind: string
  readonly keyType?: CelType
  readonly hasDynType: boolean
}

/** A node, once it has been checked. */
interface Evaluated {
  readonly op: string
  readonly args: unknown
  readonly meta: { readonly alternate?: Evaluated }
  handle?: (...values: unknown[]) => unknown
  evaluate(evaluator: Evaluator, ast: Evaluated, context: unknown): unknown
}

/** Makes the evaluator of an environment count, and gives what it counts with. `sample` is any expression of the environment. */
export function boundEvaluator(sample: { readonly ast: ASTNode } & (() => unknown)): StepBudget {
  const budget = new StepBudget()
  const evaluator = evaluatorOf(sample)
  evaluator.run = (ast, context) => {
    budget.step()
    return plain(ast.evaluate(evaluator, ast, context), budget)
  }
  evaluator.tryEval = (ast, context) => {
    try {
      return evaluator.run(ast, context)
    } catch (error) {
      // `true || endless` is true whatever the other side does, but not if it has used up all steps.
      if (budget.isSpent) throw error
      return error
    }
  }
  const debugType = evaluator.debugType.bind(evaluator)
  evaluator.debugType = (value) => debugType(isMisleading(value) ? {} : value)
  evaluator.debugTypeDeep = (value) => typeOf(value, evaluator, budget, 0)
  return budget
}

function evaluatorOf(sample: { readonly ast: ASTNode } & (() => unknown)): Evaluator {
  const root = sample.ast as unknown as Evaluated
  let found: Evaluator | undefined
  root.evaluate = (evaluator) => {
    found = evaluator
  }
  sample()
  if (found === undefined) throw new Error('This version of CEL evaluates in another way.')
  return found
}

/** As far as it matters which overload is taken. CEL keeps every type that it has seen for good, and data may be nested in any way. */
const DEEPEST_TYPE = 4

/** Of a list or an object, by its first item, as CEL has it. */
function typeOf(value: unknown, evaluator: Evaluator, budget: StepBudget, depth: number): CelType {
  const type = evaluator.debugType(value)
  if (depth >= DEEPEST_TYPE) return type
  if (Array.isArray(value))
    return value[0] === undefined
      ? type
      : evaluator.registry.getListType(typeOf(plain(value[0], budget), evaluator, budget, depth + 1))
  if (type.kind !== 'map') return type
  const first = budget.keysOf(value as object)[0]
  if (first === undefined) return type
  const member = plain((value as Record<string, unknown>)[first], budget)
  const keyType = type.keyType!.hasDynType ? evaluator.debugType(first) : type.keyType!
  return evaluator.registry.getMapType(keyType, typeOf(member, evaluator, budget, depth + 1))
}

/**
 * Whole numbers of ours become CEL's when they are read: all of the data at once would take as long as it is large. And CEL tells by
 * its constructor what a value is: a key of that name, which anybody may send, would make it one of an unknown type.
 */
export function plain(value: unknown, budget: StepBudget): unknown {
  if (value instanceof ExactNumber) return plainNumber(value)
  if (!isMisleading(value)) return value
  budget.keysOf(value)
  return budget.madeOf(value, () => withoutConstructor(value))
}

/** Has everything in a checked expression paid for that takes longer than a step. */
export function boundNode(node: ASTNode, budget: StepBudget, compare: Compare): void {
  const bounded = node as unknown as Evaluated
  const { handle } = bounded
  if (handle !== undefined) bounded.handle = boundHandle(bounded, handle, budget, compare)
  const loop = bounded.meta.alternate
  if (loop?.op === 'comprehension' && loop.handle !== undefined) loop.handle = boundLoop(loop.handle, budget)
}

function boundHandle(
  { op, args }: Evaluated,
  handle: NonNullable<Evaluated['handle']>,
  budget: StepBudget,
  compare: Compare
): NonNullable<Evaluated['handle']> {
  switch (op) {
    case '+':
      return (left, right, ...rest) => {
        budget.join(left, right)
        return handle(left, right, ...rest)
      }
    case '==':
    case '!=':
      return (left, right, ...rest) => {
        if (isPrimitive(left) || isPrimitive(right)) {
          budget.compareTexts(left, right)
          return handle(left, right, ...rest)
        }
        const [one, other] = [plainCopy(left, budget), plainCopy(right, budget)]
        budget.compare(one, other)
        return handle(one, other, ...rest)
      }
    case 'in':
      return (item, list, ...rest) => {
        const [one, all] = [plainCopy(item, budget), Array.isArray(list) ? plainCopy(list, budget) : list]
        if (Array.isArray(all)) budget.find(one, all)
        return handle(one, all, ...rest)
      }
    case '<':
    case '<=':
    case '>':
    case '>=':
      return (left, right, ...rest) => {
        budget.compareTexts(left, right)
        if (typeof left !== typeof right) budget.read(...[left, right].filter(isText))
        return handle(left, right, ...rest)
      }
    case 'call':
    case 'rcall':
      return boundCall((args as [string])[0], handle, budget, compare)
    default:
      return handle
  }
}

/** The values of a call come first, in a list: for `a.f(b)` both. */
function boundCall(
  name: string,
  handle: NonNullable<Evaluated['handle']>,
  budget: StepBudget,
  compare: Compare
): NonNullable<Evaluated['handle']> {
  return (values, ...rest) => {
    const given = values as readonly unknown[]
    const [text, part] = given
    const isOfTexts = given.length === 2 && typeof text === 'string' && typeof part === 'string'
    // CEL's own would be a pattern of JavaScript, which can take years.
    if (name === MATCHES && isOfTexts) return compare(text, MATCHES, part)
    if (name === 'contains' && isOfTexts) {
      budget.read(text, part)
      return includesText(text, part)
    }
    // CEL would list the keys each time.
    if (name === 'size' && given.length === 1 && isData(text)) return BigInt(budget.keysOf(text).length)
    // It pays for what it looks at.
    if (name !== COMPARE) budget.call(name, given)
    return handle(values, ...rest)
  }
}

/** Loops over an object are over its keys. */
function boundLoop(handle: NonNullable<Evaluated['handle']>, budget: StepBudget) {
  return (items: unknown, ...rest: unknown[]) =>
    handle(isPlainObject(items) ? budget.keysOf(items) : items, ...rest)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isPrimitive(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

/** CEL compares no numbers of ours inside of lists and objects. */
function plainCopy(value: unknown, budget: StepBudget): unknown {
  if (isPrimitive(value)) return value
  return budget.madeOf(value as object, () => withPlainNumbers(value as JsonValue, () => budget.copy()))
}
