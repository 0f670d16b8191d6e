import { useContext, useEffect, useEffectEvent } from 'react'
import { useRouteError } from 'react-router'
import { useApi } from '../api/api-context.ts'
import { LiveContext } from '../api/live.ts'
import { unreachable } from '../api/problem.ts'
import { ErrorState } from '../design/error-state.tsx'
import { PartNotLoaded } from './part-not-loaded.ts'

/**
 * A part of the page threw, or could not be loaded: because the service is gone, or because a newer page has taken its
 * place. What could not be loaded is loaded anew by itself, with the whole page, as soon as the service answers.
 */
export function PageFailed() {
  const error = useRouteError()
  const api = useApi()
  const isNotLoaded = error instanceof PartNotLoaded
  const reloadIfThere = async () => {
    const response = await api.getPlain('livez').catch(() => undefined)
    if (response?.ok === true) window.location.reload()
  }
  useAtOnceAndWhenBack(() => {
    if (isNotLoaded && !wasReloadedJustNow()) void reloadIfThere()
  })
  return (
    <ErrorState isPage error={isNotLoaded ? unreachable() : error} onRetry={() => void reloadIfThere()} />
  )
}

/** Also when the connection was lost and is there again. Outside of the shell there is none to watch. */
function useAtOnceAndWhenBack(act: () => void): void {
  const live = useContext(LiveContext)
  const actNow = useEffectEvent(act)
  useEffect(() => {
    actNow()
    return live?.watchConnection(() => live.connection() === 'online' && actNow())
  }, [live])
}

/** A part that is missing for good must not load the page anew for ever. */
function wasReloadedJustNow(): boolean {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'reload' && performance.now() < 10_000
}
