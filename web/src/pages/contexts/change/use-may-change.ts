import { useSession } from '../../../api/session.ts'

/** Contexts concern the whole service: the key needs the right, and must not be bound to a part of it. */
export function useMayChange(): boolean {
  const session = useSession()
  if (session === undefined) return false
  const isUnbound = session.flow_id === null && (session.context === null || session.context === '/')
  return isUnbound && session.rights.includes('admin')
}
