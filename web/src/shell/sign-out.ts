import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useApi } from '../api/api-context.ts'
import { signOut } from '../api/session.ts'
import { notifyProblem } from '../design/notify.tsx'

/** Ends the session and forgets what it showed. */
export function useSignOut(): () => void {
  const api = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return () => {
    signOut(api).then(() => {
      void navigate('/sign-in')
      queries.clear()
    }, notifyProblem)
  }
}
