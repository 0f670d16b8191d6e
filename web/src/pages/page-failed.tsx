import { useContext, useEffect, useRef } from 'react'
import { useRouteError } from 'react-router'
import { useApi } from '../api/api-context.ts'
import { LiveContext } from '../api/live.ts'
import { unreachable } from '../api/problem.ts'
import { ErrorState } from '../design/error-state.tsx'
import { PartNotLoaded } from './part-not-loaded.ts'

/**
 * A part of the page threw, or could not be loaded: because the service is gone, or because a newer page has taken its
 * place. Loading the page anew helps in all three cases, as soon as the service answers; then it happens by itself.
 */
export function PageFailed() {
  const error = useRouteError()
  const api = useApi()
  const isLoadFailure = error instanceof PartNotLoaded
  const reloadIfThere = async () => {
    const response = await api.getPlain('livez').catch(() => undefined)
    if (response?.ok === true) window.location.reload()
  }
  useWhenBack(() => {
    if (isLoadFailure) void reloadIfThere()
  })
  return (
    <ErrorState isPage error={isLoadFailure ? unreachable() : error} onRetry={() => void reloadIfThere()} />
  )
}

/** Calls back when the connection was lost and is there again. Outside of the shell there is none to watch. */
function useWhenBack(onBack: () => void): void {
  const live = useContext(LiveContext)
  const newest = useRef(onBack)
  useEffect(() => {
    newest.current = onBack
  })
  useEffect(() => live?.watchConnection(() => live.connection() === 'online' && newest.current()), [live])
}
