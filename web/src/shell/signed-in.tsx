import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useApi } from '../api/api-context.ts'
import type { Api } from '../api/client.ts'
import { LiveContext } from '../api/live.ts'
import { LiveEvents } from '../api/live-events.ts'
import { ApiProblem } from '../api/problem.ts'
import { sessionQuery } from '../api/session.ts'
import { ErrorState } from '../design/error-state.tsx'
import { LoadingState } from '../design/loading-state.tsx'
import { Page } from '../design/page.tsx'
import { Shell } from './shell.tsx'

/**
 * Lets in whoever has a session, and connects the page to the live events; shows others where to sign in.
 *
 * The stream is opened while the session is asked for, not after: it is open then before the page asks for anything
 * that it tells of, and nothing has to be asked for twice.
 */
export function SignedIn() {
  const api = useApi()
  const location = useLocation()
  const live = useStream(api)
  const session = useQuery(sessionQuery(api))
  if (session.data !== undefined)
    return (
      <LiveContext value={live}>
        <Shell />
      </LiveContext>
    )
  if (session.error instanceof ApiProblem && session.error.status === 401) {
    const next =
      location.pathname === '/' ? '' : `?next=${encodeURIComponent(location.pathname + location.search)}`
    return <Navigate to={`/sign-in${next}`} replace />
  }
  if (session.error !== null)
    return <ErrorState isPage error={session.error} onRetry={() => void session.refetch()} />
  return (
    <Page>
      <LoadingState rows={4} height={64} />
    </Page>
  )
}

function useStream(api: Api): LiveEvents {
  const queries = useQueryClient()
  const [live] = useState(
    () =>
      new LiveEvents({
        addressAfter: (last) => api.address('events', { last_event_id: last }),
        // Until the session is known it is being asked for anyway.
        probe: async () => queries.getQueryData(sessionQuery(api).queryKey) && api.get('session')
      })
  )
  useEffect(() => live.start(), [live])
  return live
}
