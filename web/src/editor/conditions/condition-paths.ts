import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { knownPaths } from '../rows/known-paths.ts'
import { stepText } from '../template/template-path.ts'

/** Paths that a condition may read, of what came last: keys of the data, of earlier nodes, and of the run. */
export function conditionPaths(
  data: JsonValue | undefined,
  variables: Readonly<Record<string, JsonValue>>,
  roots: readonly string[]
): string[] {
  const others = roots.filter((root) => root !== 'data' && root !== 'item')
  return [
    ...knownPaths(data === undefined ? undefined : [data]),
    '$data',
    ...others.flatMap((root) => pathsOf(root, variables[root]))
  ]
}

function pathsOf(root: string, value: JsonValue | undefined): string[] {
  if (!isPlainObject(value)) return root === 'nodes' || root === 'run' ? [] : [`$${root}`]
  if (root !== 'nodes') return Object.keys(value).map((key) => `$${root}${stepText(key, false)}`)
  return Object.entries(value).flatMap(([node, outputs]) =>
    knownPaths([outputs]).map((path) => `$nodes.${node}${path.startsWith('[') ? '' : '.'}${path}`)
  )
}
