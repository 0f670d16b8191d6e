import { useEffect, useRef } from 'react'
import { useApi } from '../../../api/api-context.ts'
import type { Api } from '../../../api/client.ts'
import { useLiveEvents, useOpening } from '../../../api/live.ts'
import type { LiveEvent } from '../../../api/live-event.ts'
import { readRun, readRunPage } from '../../../api/runs.ts'
import type { Run } from '../../../api/shapes.ts'
import { notifyProblem } from '../../../design/notify.tsx'
import { useEditorState } from '../editor-context.ts'
import { useEditorSession } from '../session/session-context.ts'
import { followEvents, hasEnded, shownRun } from './shown-run.ts'

/** Runs of a busy flow end many times a second; nobody sees more than this. */
const READ_EVERY_MS = 700

/** A run that is being read. */
interface Reading {
  /** Received while the answer was on its way: the answer may be older. */
  readonly received: LiveEvent[]
}

/** Keeps the newest run of the flow, or the one that was chosen, on the canvas. */
export function useShownRun(): void {
  const session = useEditorSession()
  const api = useApi()
  const opening = useOpening()
  const chosen = useEditorState((state) => state.chosenRun)
  const timer = useRef(0)
  const reading = useRef<Reading>(undefined)

  /** Only the answer that was asked for last counts. */
  const show = async (asked: Promise<Run | undefined>) => {
    const own: Reading = { received: [] }
    reading.current = own
    try {
      const run = await asked
      if (reading.current !== own) return
      session.setRun(followEvents(run && shownRun(run), own.received, session.state().chosenRun))
    } finally {
      if (reading.current === own) reading.current = undefined
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when another run is meant, and when the stream of events is open, as nobody tells what happened before.
  useEffect(() => {
    if (chosen === undefined) show(readNewestRun(api, session.flowId)).catch(() => undefined)
    else show(readRun(api, chosen)).catch(notifyProblem)
  }, [chosen, opening, session])

  useEffect(() => () => window.clearTimeout(timer.current), [])

  useLiveEvents((events) => {
    const own = events.filter(({ data }) => data.flow_id === session.flowId)
    if (own.length === 0) return
    reading.current?.received.push(...own)
    const { chosenRun } = session.state()
    const before = session.toldRun()
    const after = followEvents(before, own, chosenRun)
    session.setRun(after)
    if (after === undefined || !hasEnded(after) || after === before || timer.current !== 0) return
    // Events leave out what is large: a run that is over is read in full.
    timer.current = window.setTimeout(() => {
      timer.current = 0
      const shown = session.state().run
      if (shown !== undefined && hasEnded(shown)) show(readRun(api, shown.id)).catch(() => undefined)
    }, READ_EVERY_MS / 2)
  })
}

async function readNewestRun(api: Api, flow: string): Promise<Run | undefined> {
  const [newest] = (await readRunPage(api, { flow_id: flow }, { limit: 1 })).runs
  return newest === undefined ? undefined : readRun(api, newest.id)
}
