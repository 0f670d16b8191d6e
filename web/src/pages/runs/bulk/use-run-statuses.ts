import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useLiveEvents, useOpening } from '../../../api/live.ts'
import { readRun } from '../../../api/runs.ts'
import type { RunStatus } from '../../../api/shapes.ts'
import type { BulkProgress } from './run-bulk.ts'
import { hasEnded, type RunStatuses, withAnswer, withEvents } from './run-statuses.ts'

/** How the runs are doing that a bulk action has started, from the moment in which it is shown. */
export function useRunStatuses({ results, isFinished }: BulkProgress): RunStatuses {
  const api = useApi()
  const [statuses, setStatuses] = useState<RunStatuses>(new Map())
  const started = results.flatMap(({ startedId = [] }) => startedId)
  useLiveEvents((events) => {
    // The event may come before the answer that tells which run was started: until all have come, any may be meant.
    const wanted = isFinished ? new Set(started) : undefined
    setStatuses((known) => withEvents(known, events, wanted))
  })
  const newest = useRef({ started, statuses })
  useEffect(() => {
    newest.current = { started, statuses }
  })
  const opening = useOpening()
  const [openingAtFirst] = useState(opening)
  useEffect(() => {
    // Of what happened while the stream was closed nobody tells, unless it goes on where it was.
    if (opening === openingAtFirst || opening.isResumed) return
    const reading = new AbortController()
    const { started: ids, statuses: known } = newest.current
    void readAll(
      ids.filter((id) => !hasEnded(known.get(id))),
      async (id) => (await readRun(api, id, reading.signal)).status,
      (id, status) => setStatuses((now) => withAnswer(now, { id, status, before: known.get(id) }))
    )
    return () => reading.abort()
  }, [api, opening, openingAtFirst])
  return statuses
}

async function readAll(
  ids: readonly string[],
  read: (id: string) => Promise<RunStatus>,
  tell: (id: string, status: RunStatus) => void
): Promise<void> {
  try {
    for (const id of ids) tell(id, await read(id))
  } catch {
    // Nobody looks any more, or the connection is lost again: then the next opening reads them.
  }
}
