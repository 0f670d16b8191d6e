import { useSyncExternalStore } from 'react'

const STEP_MS = 10_000
const subscribe = (onTick: () => void) => {
  const timer = setInterval(onTick, STEP_MS)
  return () => clearInterval(timer)
}

/** The time, to ten seconds: all who show one show the same. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / STEP_MS) * STEP_MS)
}
