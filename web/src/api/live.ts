import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react'
import type { LiveEvent } from './live-event.ts'
import type { Connection, LiveEvents, Opening } from './live-events.ts'
import type { RunTexts } from './live-texts.ts'

export const LiveContext = createContext<LiveEvents | undefined>(undefined)

export function useLive(): LiveEvents {
  const live = useContext(LiveContext)
  if (live === undefined) throw new Error('useLive is used outside of <LiveContext>')
  return live
}

/** Calls back with what happened, in batches; the newest callback counts, so it need not be memoised. */
export function useLiveEvents(onEvents: (events: readonly LiveEvent[]) => void): void {
  const live = useLive()
  const newest = useRef(onEvents)
  useEffect(() => {
    newest.current = onEvents
  })
  useEffect(() => live.listen((events) => newest.current(events)), [live])
}

export function useConnection(): Connection {
  const live = useLive()
  return useSyncExternalStore(live.watchConnection, live.connection)
}

/** A new object whenever the stream is opened: what is shown was then read too early and has to be read again. */
export function useOpening(): Opening {
  const live = useLive()
  return useSyncExternalStore(live.watchConnection, live.opening)
}

/** What the steps of a run say while they work, by node. */
export function useRunTexts(runId: string): RunTexts {
  const { texts } = useLive()
  return useSyncExternalStore(texts.watch, () => texts.of(runId))
}
