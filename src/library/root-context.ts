import { ROOT } from '../contexts/context-path.ts'
import type { ContextTree } from '../contexts/context-tree.ts'
import { provenance } from '../contexts/registration.ts'
import { type Fault, MillraceError } from '../errors.ts'
import type { ContextSettings, MadeContext } from './made-context.ts'

/**
 * The root before anybody set a variable there: it is not in the store yet. Its id is its path, so two processes
 * that set it for the first time at once write one row.
 */
export const UNSET_ROOT: MadeContext = { id: ROOT, path: ROOT, variables: {}, settings: {}, createdAt: 0 }

/** What the root cannot hold. `at` is where the context stands in what was sent. */
export function rootFaults(
  { variables, settings }: Pick<MadeContext, 'variables' | 'settings'>,
  tree: ContextTree,
  at = ''
): Fault[] {
  const names = Object.keys(variables).flatMap((name) => tree.inCode(ROOT, 'variable', name) ?? [])
  const taken = names.map((registration) => ({
    code: 'name_taken',
    path: `${at}/variables/${registration.name}`,
    message: `The variable "${registration.name}" of the root is set in code: it is ${provenance(registration)}. Choose another name, set it in a context below the root, or change the plugin.`
  }))
  const others = Object.keys(settings) as (keyof ContextSettings)[]
  return [
    ...taken,
    ...others.map((name) => ({
      code: 'context_is_code',
      path: `${at}/${name === 'default_auth' ? name : `limits/${name}`}`,
      message: `The root holds variables alone, no "${name}": set it in a context below the root.`
    }))
  ]
}

export function assertRootHolds(context: MadeContext, tree: ContextTree): void {
  const errors = rootFaults(context, tree)
  if (errors.length > 0) throw new MillraceError('invalid_request', errors[0]!.message, { errors })
}

export function rootStays(): MillraceError {
  return new MillraceError(
    'context_is_code',
    'The context "/" is the root: it can be neither renamed, moved nor deleted. Its variables can be set.'
  )
}
