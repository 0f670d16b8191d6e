import { StepError } from '../../engine/step-error.ts'
import { LINK_NAMES, type LinkedNodes, type LinkName } from '../../flows/graph/run-links.ts'
import type { RunScope } from './run-scope.ts'

/** The addresses at which steps of runs wait; undefined where this process cannot know them. */
export interface RunAddresses {
  of(name: LinkName, runId: string, node: string): string | undefined
}

/** What `{$resume.<node>}` and `{$approve.<node>}` read. An address is made when it is read: most runs read none. */
export function linkedScope(
  scope: RunScope,
  linked: LinkedNodes,
  runId: string,
  addresses: RunAddresses
): RunScope {
  const links = LINK_NAMES.map((name) => {
    const properties = linked[name].map((node) => [
      node,
      { enumerable: true, get: () => addresses.of(name, runId, node) ?? unknownAddress() }
    ])
    return [name, Object.defineProperties({}, Object.fromEntries(properties))]
  })
  return { ...scope, variables: { ...scope.variables, ...Object.fromEntries(links) } }
}

function unknownAddress(): never {
  throw new StepError(
    'This process does not know at which address others reach the service. Set MILLRACE_PUBLIC_URL for workers too.',
    { code: 'public_url_missing', retryable: false }
  )
}
