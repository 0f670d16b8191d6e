import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useApi } from '../api/api-context.ts'
import { LiveContext } from '../api/live.ts'
import { LiveEvents } from '../api/live-events.ts'
import { ApiProblem } from '../api/problem.ts'
import { sessionQuery } from '../api/session.ts'
import { ErrorState } from '../design/error-state.tsx'
import { Shell } from './shell.tsx'

/** Lets in whoever has a session, and connects the page to the live events; shows others where to sign in. */
export function SignedIn() {
  const api = useApi()
  const location = useLocation()
  const session = useQuery(sessionQuery(api))
  if (session.data !== undefined) return <Connected />
  if (session.error instanceof ApiProblem && session.error.status === 401) {
    const next =
      location.pathname === '/' ? '' : `?next=${encodeURIComponent(location.pathname + location.search)}`
    return <Navigate to={`/sign-in${next}`} replace />
  }
  if (session.error !== null)
    return <ErrorState isPage error={session.error} onRetry={() => void session.refetch()} />
  return null
}

function Connected() {
  const api = useApi()
  const [live] = useState(
    () =>
      new LiveEvents({
        addressAfter: (last) => api.address('events', { last_event_id: last }),
        probe: () => api.get('session')
      })
  )
  useEffect(() => live.start(), [live])
  return (
    <LiveContext value={live}>
      <Shell />
    </LiveContext>
  )
}
