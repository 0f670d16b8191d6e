import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../api/api-context.ts'
import type { Message } from '../../api/messages.ts'
import { readRun } from '../../api/runs.ts'
import type { Run, RunSummary } from '../../api/shapes.ts'

/** Of so many that wait, the newest, it is looked up what they have printed. */
const MOST_RUNS = 20

/** What runs have printed that wait: the list of messages has those of a run when it has ended, which may take days. */
export function useWaitingMessages(runs: readonly RunSummary[], session: string): readonly Message[] {
  const api = useApi()
  const waiting = useMemo(() => runs.filter(({ status }) => status === 'waiting').slice(0, MOST_RUNS), [runs])
  const all = useQueries({
    queries: waiting.map(({ id }) => ({
      queryKey: ['messages', 'of a run', id],
      queryFn: ({ signal }: { signal: AbortSignal }) => readRun(api, id, signal),
      staleTime: 60_000
    })),
    combine: printedBy
  })
  return useMemo(() => all.filter((message) => message.session === session), [all, session])
}

function printedBy(answers: UseQueryResult<Run>[]): Message[] {
  return answers.flatMap(({ data }) =>
    data === undefined ? [] : data.messages.map((message) => ({ ...message, run_id: data.id }))
  )
}
