import type { ASTNode } from '@marcbachmann/cel-js'

/*
 * CEL's `has()` takes names alone. Ids of nodes hold hyphens, and two outputs of If-Else are words of CEL, so what asks whether one of
 * them gave anything has to name it in brackets: `has(nodes["if-else-1"]["true"])`.
 */

interface Checker {
  check(node: ASTNode, context: unknown): unknown
  getType(name: string): unknown
  createError(code: string, message: string, node: ASTNode): Error
}

interface Evaluator {
  run(node: ASTNode, context: unknown): unknown
  debugType(value: unknown): Looked
}

interface Looked {
  /** Undefined where there is none. */
  fieldLazy(value: unknown, key: unknown, node: ASTNode, evaluator: Evaluator): unknown
}

/** Stands for the call, in its node. */
interface HasMacro {
  readonly args: readonly ASTNode[]
  typeCheck(checker: Checker, macro: HasMacro, context: unknown): unknown
  evaluate(evaluator: Evaluator, macro: HasMacro, context: unknown): unknown
}

type Called = ASTNode & { readonly op: 'call'; readonly meta: { readonly macro?: HasMacro } }

const NODES = 'nodes'

/** Before it is checked. `read` makes of a value that was looked up what an expression reads. */
export function widenHas(node: ASTNode, read: (value: unknown) => unknown): void {
  if (node.op !== 'call' || node.args[0] !== 'has') return
  const { macro } = (node as Called).meta
  const [asked] = macro?.args ?? []
  const steps = asked && stepsOf(asked)
  if (macro === undefined || steps === undefined || !steps.some(isIndex)) return
  macro.typeCheck = (checker, _, context) => {
    checker.check(baseOf(steps), context)
    for (const step of steps) if (isIndex(step)) checker.check(indexOf(step), context)
    return checker.getType('bool')
  }
  macro.evaluate = (evaluator, _, context) => {
    const base = baseOf(steps)
    const isOfNodes = base.op === 'id' && base.args === NODES
    let value = evaluator.run(base, context)
    for (const [at, step] of steps.entries()) {
      const key = isIndex(step) ? evaluator.run(indexOf(step), context) : step.args[1]
      value = read(evaluator.debugType(value).fieldLazy(value, key, step, evaluator))
      if (value !== undefined) continue
      // A node that was skipped is a missing key as one is that was silent.
      if (at === steps.length - 1 || (isOfNodes && at === 0)) return false
      throw new Error(`No such key: ${String(key)}`)
    }
    return true
  }
}

type Step = ASTNode & { readonly op: '.' | '[]' }

/** From the first name on; undefined where something else is between. */
function stepsOf(asked: ASTNode): readonly Step[] | undefined {
  const steps: Step[] = []
  for (let node: ASTNode = asked; node.op === '.' || node.op === '[]'; node = node.args[0])
    steps.unshift(node)
  return steps[0]?.args[0].op === 'id' ? steps : undefined
}

function baseOf([first]: readonly Step[]): ASTNode {
  return first!.args[0]
}

function isIndex(step: Step): boolean {
  return step.op === '[]'
}

function indexOf(step: Step): ASTNode {
  return step.args[1] as ASTNode
}
