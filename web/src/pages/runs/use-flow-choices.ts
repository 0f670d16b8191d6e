import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { flowsQuery } from '../../api/flows.ts'
import type { ListedFlow } from '../../api/shapes.ts'

export interface FlowChoice {
  readonly id: string
  readonly name: string
}

/** The flows by name. Unlike the flows themselves they stay the same while runs happen. */
export function useFlowChoices(): readonly FlowChoice[] | undefined {
  return useQuery({ ...flowsQuery(useApi()), select: choicesOf }).data
}

function choicesOf(flows: readonly ListedFlow[]): FlowChoice[] {
  return flows.map(({ id, name }) => ({ id, name }))
}
