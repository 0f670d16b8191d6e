import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useApi } from './api-context.ts'
import { useAskAgain } from './asking-again.ts'
import type { Api } from './client.ts'
import { useLiveEvents } from './live.ts'
import { type NodeOutput, readNodeOutput } from './read-node-output.ts'

function nodeOutputQuery(api: Api, flow: string, node: string) {
  return queryOptions({
    queryKey: ['node-output', flow, node],
    // A run may have ended while nobody looked at the node, and nobody listened then either.
    staleTime: 0,
    queryFn: ({ signal }) => readNodeOutput(api, flow, node, signal)
  })
}

export function useNodeOutput(flow: string, node: string) {
  useFreshOutputs(flow)
  return useQuery(nodeOutputQuery(useApi(), flow, node))
}

/** Of several nodes at once, by their ids; those that put out nothing are left out. */
export function useNodeOutputs(flow: string, nodes: readonly string[]): ReadonlyMap<string, NodeOutput> {
  const api = useApi()
  useFreshOutputs(flow)
  const names = nodes.join(' ')
  return useQueries({
    queries: nodes.map((node) => nodeOutputQuery(api, flow, node)),
    combine: useCallback(
      (results: readonly { readonly data: NodeOutput | null | undefined }[]) => {
        const found = names.split(' ').map((node, index) => [node, results[index]?.data] as const)
        return new Map(found.filter((entry): entry is [string, NodeOutput] => entry[1] != null))
      },
      [names]
    )
  })
}

/** Whether it is not known yet what one of them put out. */
export function useAreOutputsPending(flow: string, nodes: readonly string[]): boolean {
  const api = useApi()
  return useQueries({
    queries: nodes.map((node) => nodeOutputQuery(api, flow, node)),
    combine: (results) => results.some(({ isPending }) => isPending)
  })
}

/** A busy flow ends many runs a second; nobody reads that fast, and an answer needs time to arrive. */
const REFRESH_MS = 250

/** They are asked for again when a run of the flow has ended. */
function useFreshOutputs(flow: string): void {
  const askAgain = useAskAgain()
  const timer = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])
  useLiveEvents((events) => {
    if (!events.some(({ name, data }) => name === 'run.ended' && data.flow_id === flow)) return
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined
      askAgain({ queryKey: ['node-output', flow] })
    }, REFRESH_MS)
  })
}
