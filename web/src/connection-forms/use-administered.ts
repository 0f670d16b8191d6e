import { isWithin } from '../../../src/contexts/context-path.ts'
import { useContexts } from '../api/contexts.ts'
import { type SessionKey, useSession } from '../api/session.ts'

/** Whether the key that signed in may make and change connections of a context. */
export function useMayAdminister(): (context: string) => boolean {
  const session = useSession()
  return (context) => session !== undefined && administers(session, context)
}

/** Whether there is any context whose connections the key may make and change. */
export function useAdministersAny(): boolean {
  const session = useSession()
  return session !== undefined && administers(session, session.context ?? '/')
}

function administers({ rights, flow_id, context }: SessionKey, path: string): boolean {
  return rights.includes('admin') && flow_id === null && (context === null || isWithin(path, context))
}

/** The contexts whose connections the key may make and change; a key that does not read them knows its own. */
export function useAdministeredContexts(): readonly string[] {
  const may = useMayAdminister()
  const own = useSession()?.context ?? '/'
  const { data = [] } = useContexts()
  return [...new Set([own, ...data.map(({ path }) => path)])].filter(may).sort()
}
