import { useEffect, useState } from 'react'

/** So long nothing more has to be typed until the service is asked. */
const PAUSE_MS = 200
/** Of fewer letters there is no telling what is meant. */
const FEWEST_LETTERS = 3

/** What the service answers to what is typed; nothing until it has, and where it cannot. `ask` says by its identity when to ask anew. */
export function useAnswers<T>(
  search: string,
  ask: (search: string, signal: AbortSignal) => Promise<readonly T[]>
): readonly T[] {
  const [found, setFound] = useState<readonly T[]>([])
  useEffect(() => {
    setFound([])
    if (search.trim().length < FEWEST_LETTERS) return
    const asking = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const answers = await ask(search, asking.signal)
        if (!asking.signal.aborted) setFound(answers)
      } catch {
        // The palette has its commands without them; who needs the list of runs is told there what is wrong.
      }
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [ask, search])
  return found
}
