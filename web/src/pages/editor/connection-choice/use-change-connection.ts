import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import { testConnection } from '../../../api/connection-tests.ts'
import { connectionsQuery } from '../../../api/connections.ts'
import { notifyDone, notifyProblem, notifyRefusal } from '../../../design/notify.tsx'
import { useMakeConnection } from './make-connection.tsx'

/** Opens the form of a connection that is there, beside the node that names it, and tries what came of it. */
export function useChangeConnection() {
  const api = useApi()
  const queries = useQueryClient()
  const open = useMakeConnection()
  return async ({ name, context }: { readonly name: string; readonly context: string }): Promise<void> => {
    try {
      const all = await queries.fetchQuery(connectionsQuery(api))
      const found = all.find((one) => one.name === name && one.context === context)
      if (found === undefined) {
        notifyRefusal(
          'It cannot be changed here',
          `Your key does not administer ${context}, where “${name}” is.`
        )
        return
      }
      open(found, (changed) => void tell(changed.id))
    } catch (error) {
      notifyProblem(error)
    }
  }

  async function tell(id: string): Promise<void> {
    try {
      const { ok, message } = await testConnection(api, id)
      if (ok) notifyDone(message)
      else notifyRefusal('Saved, but it does not work yet', message)
    } catch (error) {
      notifyProblem(error)
    }
  }
}
