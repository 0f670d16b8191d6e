import { useCallback, useEffect, useRef } from 'react'
import { type Command, useRegistry } from './commands.ts'
import { useAnswers } from './use-answers.ts'

/** Adds a finder while the part is shown; it may be another one with every render. */
export function useFinder(finder: (search: string) => readonly Command[]): void {
  const { finders } = useRegistry()
  const newest = useNewest(finder)
  useEffect(() => added(finders, (search) => newest.current(search)), [finders, newest])
}

/** The same for what the service is asked for. */
export function useAsker(asker: (search: string, signal: AbortSignal) => Promise<readonly Command[]>): void {
  const { askers } = useRegistry()
  const newest = useNewest(asker)
  useEffect(() => added(askers, (search, signal) => newest.current(search, signal)), [askers, newest])
}

export function useFoundCommands(search: string): readonly Command[] {
  const { finders } = useRegistry()
  return search.trim() === '' ? [] : [...finders].flatMap((finder) => finder(search))
}

/** What the page that is shown finds by asking the service. */
export function useAskedCommands(search: string): readonly Command[] {
  const { askers } = useRegistry()
  const ask = useCallback(
    async (typed: string, signal: AbortSignal) =>
      (await Promise.all([...askers].map((asker) => asker(typed, signal)))).flat(),
    [askers]
  )
  return useAnswers(search, ask)
}

function useNewest<T>(value: T) {
  const newest = useRef(value)
  useEffect(() => {
    newest.current = value
  })
  return newest
}

function added<T>(all: Set<T>, one: T): () => void {
  all.add(one)
  return () => all.delete(one)
}
