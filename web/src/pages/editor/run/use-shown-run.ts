import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useConnection, useLiveEvents } from '../../../api/live.ts'
import { runQuery } from '../../../api/runs.ts'
import type { RunSummary } from '../../../api/shapes.ts'
import { notifyProblem } from '../../../design/notify.tsx'
import { useEditorState } from '../editor-context.ts'
import { useEditorSession } from '../session/session-context.ts'
import { followEvents, isOver, shownRun } from './shown-run.ts'

/** Runs of a busy flow end many times a second; nobody sees more than this. */
const READ_EVERY_MS = 700

/** Keeps the newest run of the flow, or the one that was chosen, on the canvas. */
export function useShownRun(): void {
  const session = useEditorSession()
  const api = useApi()
  const queries = useQueryClient()
  const connection = useConnection()
  const chosen = useEditorState((state) => state.chosenRun)
  const reading = useRef(0)

  /** Reads a run in full; events leave out what is large. */
  const read = async (id: string) => {
    const run = await queries.fetchQuery({ ...runQuery(api, id), staleTime: 0 })
    const { run: shown, chosenRun } = session.state()
    if (shown === undefined || shown.id === id || chosenRun === id) session.setRun(shownRun(run))
  }

  const readNewest = async () => {
    const { runs } = await api.get<{ runs: RunSummary[] }>('runs', { flow_id: session.flowId, limit: 1 })
    const [newest] = runs
    if (newest === undefined) return session.setRun(undefined)
    const run = await queries.fetchQuery({ ...runQuery(api, newest.id), staleTime: 0 })
    if (session.state().chosenRun === undefined) session.setRun(shownRun(run))
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when another run is meant, or after events may have been missed.
  useEffect(() => {
    if (connection === 'offline') return
    if (chosen === undefined) readNewest().catch(() => undefined)
    else read(chosen).catch(notifyProblem)
  }, [chosen, connection === 'offline', session])

  useEffect(() => () => window.clearTimeout(reading.current), [])

  useLiveEvents((events) => {
    const own = events.filter(({ data }) => data.flow_id === session.flowId)
    if (own.length === 0) return
    const { run: before, chosenRun } = session.state()
    const after = followEvents(before, own, chosenRun)
    session.setRun(after)
    if (after === undefined || !isOver(after) || after === before || reading.current !== 0) return
    reading.current = window.setTimeout(() => {
      reading.current = 0
      const shown = session.state().run
      if (shown !== undefined && isOver(shown)) read(shown.id).catch(() => undefined)
    }, READ_EVERY_MS / 2)
  })
}
