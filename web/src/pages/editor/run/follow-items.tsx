import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useApi } from '../../../api/api-context.ts'
import type { Api } from '../../../api/client.ts'
import { readRun, readRunPage } from '../../../api/runs.ts'
import type { RunSummary } from '../../../api/shapes.ts'
import { type ShownItem, type ShownRun, useEditorState } from '../editor-context.ts'
import { useEditorSession } from '../session/session-context.ts'

/** Keeps one item of each For each on the canvas, with the run that it belongs to. */
export function FollowItems({ run }: { readonly run: ShownRun }) {
  const nodes = useEditorState(({ flow }) => flow.nodes)
  const regions = useMemo(() => [...new Set(nodes.flatMap(({ parent }) => parent ?? []))], [nodes])
  return regions.map((region) => <FollowItem key={region} run={run} region={region} />)
}

/** While items come and go, the one that is shown may be another one soon. */
const ASK_AGAIN_MS = 2_000

function FollowItem({ run, region }: { readonly run: ShownRun; readonly region: string }) {
  const api = useApi()
  const session = useEditorSession()
  const chosen = useEditorState(({ chosenItems }) => chosenItems.get(region))
  const status = run.steps.get(region)?.status
  const isGoing = status === 'waiting' || status === 'in progress'
  const { data } = useQuery({
    queryKey: ['children', run.id, region, 'shown', chosen ?? 'any', status],
    queryFn: ({ signal }) => readItem(api, { parent: run.id, node: region }, chosen, signal),
    enabled: isGoing || status === 'succeeded' || status === 'failed',
    refetchInterval: isGoing ? ASK_AGAIN_MS : false,
    placeholderData: keepPreviousData
  })
  useEffect(() => session.setItem(region, data ?? undefined), [session, region, data])
  return null
}

interface Place {
  readonly parent: string
  readonly node: string
}

/** Where none was chosen, the last that failed, or else the last: what somebody looks for. Null where there is none. */
async function readItem(
  api: Api,
  place: Place,
  chosen: number | undefined,
  signal: AbortSignal
): Promise<ShownItem | null> {
  const newest = async (more: object): Promise<RunSummary | undefined> =>
    (await readRunPage(api, { ...place, ...more }, { limit: 1, signal })).runs[0]
  const last = await newest({})
  if (last === undefined) return null
  const sought = chosen === undefined ? { status: 'failed' } : { from_index: chosen, below_index: chosen + 1 }
  const run = await readRun(api, ((await newest(sought)) ?? last).id, signal)
  return { run, count: (last.parent?.index ?? 0) + 1 }
}
