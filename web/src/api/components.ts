import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Field } from '../../../src/flows/component/component.ts'
import type { Ports } from '../../../src/flows/component/ports.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'

/** A component as a flow in some context sees it: all that is needed to draw a node. */
export interface ComponentFacts {
  readonly type: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly icon: string | null
  readonly keywords: readonly string[]
  readonly example: string | null
  readonly context: string
  readonly owner: string
  readonly effects: 'pure' | 'external'
  readonly trigger: string | null
  readonly fields: Readonly<Record<string, Field>>
  /** Those that matter most, to be edited on the node itself. */
  readonly main_fields: readonly string[]
  readonly inputs: Ports
  /** Every variable of the template in this field is an input of the type `any`. */
  readonly inputs_from_template: string | null
  readonly inputs_from_count: string | null
  readonly outputs_from_list: string | null
  /** Inputs follow from the fields. Where no template tells which, the service has to be asked. */
  readonly has_dynamic_inputs: boolean
  readonly outputs: Ports
  /** It holds nodes: the ports of its inside. */
  readonly region: { readonly inputs: Ports; readonly outputs: Ports } | null
}

function componentsQuery(api: Api, context: string) {
  return queryOptions({
    queryKey: ['components', context],
    queryFn: async ({ signal }) =>
      (await api.get<{ components: ComponentFacts[] }>('components', { context }, { signal })).components,
    // They are fixed when the service starts.
    staleTime: 5 * 60_000
  })
}

export function useComponents(context: string) {
  return useQuery(componentsQuery(useApi(), context))
}
