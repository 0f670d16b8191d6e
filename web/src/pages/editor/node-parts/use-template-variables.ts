import { useMemo } from 'react'
import { LINK_NAMES, linkedNodes } from '../../../../../src/flows/graph/run-links.ts'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import { useApi } from '../../../api/api-context.ts'
import { useFlowAs } from '../editor-context.ts'
import { useContextScope } from './use-context-scope.ts'
import { useRunVariables } from './use-run-variables.ts'

type Variables = Readonly<Record<string, JsonValue>>

const PATHS = { resume: 'api/v1/resume/', approve: 'approve/' } as const

/**
 * What `{$name}` reads in the templates of a node: the variables of the context, and the addresses of nodes of the same
 * run. What an address will be, only the run knows.
 */
export function useTemplateVariables(id: string): Readonly<Record<string, JsonValue>> {
  const { variables } = useContextScope()
  const { base } = useApi()
  // As text, so that it is the same while others are edited.
  const linked = useFlowAs('drawn', ({ nodes }) => {
    const parent = nodes.find((node) => node.id === id)?.parent
    return JSON.stringify(linkedNodes(nodes.filter((node) => node.parent === parent)) ?? null)
  })
  const ofRun = useRunVariables(id)
  return useMemo(() => {
    const targets = JSON.parse(linked) as ReturnType<typeof linkedNodes> | null
    if (targets === null || targets === undefined) return withMembers(variables, ofRun)
    const links = LINK_NAMES.filter((name) => targets[name].length > 0).map((name) => [
      name,
      Object.fromEntries(targets[name].map((node) => [node, `${base}${PATHS[name]}…${node}…`]))
    ])
    return withMembers({ ...variables, ...Object.fromEntries(links) }, ofRun)
  }, [variables, linked, base, ofRun])
}

/** Copied with its getters: what they compute is computed when it is read. */
function withMembers(variables: Variables, more: Variables): Variables {
  return Object.defineProperties({ ...variables }, Object.getOwnPropertyDescriptors(more))
}
