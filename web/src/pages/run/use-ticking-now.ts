import { useEffect, useState } from 'react'

const STEP_MS = 250

/** The time while something goes on; it stands still where nothing does. */
export function useTickingNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isTicking) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), STEP_MS)
    return () => clearInterval(timer)
  }, [isTicking])
  return now
}
