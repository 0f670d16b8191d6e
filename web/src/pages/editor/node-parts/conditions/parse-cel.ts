import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import type { Condition } from '../../../../../../src/components/expression/conditions/condition.ts'
import { readCondition } from '../../../../../../src/components/expression/conditions/read-condition.ts'

/** As the service reads conditions. What a name means, it judges when it is told of the draft. */
const environment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  enableOptionalTypes: true,
  limits: { maxAstNodes: 1_000, maxDepth: 50 }
})

/** The rows of an expression; undefined where it is no expression, and where it is empty. */
export function rowsOf(source: string, roots: readonly string[]): Condition | undefined {
  const ast = parsed(source)
  return ast === undefined ? undefined : readCondition(ast, source, roots)
}

function parsed(source: string): ASTNode | undefined {
  try {
    return environment.parse(source).ast
  } catch {
    return undefined
  }
}
