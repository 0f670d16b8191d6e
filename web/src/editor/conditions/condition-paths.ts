import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { knownPaths } from '../rows/known-paths.ts'
import type { Declared } from '../template/complete-template.ts'
import { stepText } from '../template/template-path.ts'

type Values = Readonly<Record<string, JsonValue>>

/**
 * Paths that a condition may read: keys of the data, of earlier nodes, and of the run, as they came last, and where nothing came
 * yet, as the flow says that they will be.
 */
export function conditionPaths(
  data: JsonValue | undefined,
  variables: Values,
  roots: readonly string[],
  declared: Declared
): string[] {
  const others = roots.filter((root) => root !== 'data' && root !== 'item')
  return [
    ...knownPaths([data ?? declared.keys]),
    '$data',
    ...others.flatMap((root) =>
      pathsOf(root, membersOf(declared.variables[root]), membersOf(variables[root]))
    )
  ]
}

function membersOf(value: JsonValue | undefined): Values | undefined {
  return isPlainObject(value) ? value : undefined
}

function pathsOf(root: string, declared: Values | undefined, known: Values | undefined): string[] {
  if (declared === undefined && known === undefined) return [`$${root}`]
  const members = { ...declared, ...known }
  if (root !== 'nodes') return Object.keys(members).map((key) => `$${root}${stepText(key, false)}`)
  return Object.entries(members).flatMap(([node, outputs]) =>
    knownPaths([outputs]).map((path) => `$nodes.${node}${path.startsWith('[') ? '' : '.'}${path}`)
  )
}
