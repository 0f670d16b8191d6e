import type { ApiOperation } from '../../flows/step/api-operation.ts'
import type { ConnectionLibrary } from '../connection-library.ts'
import type { ConnectionDocuments } from './connection-documents.ts'

/** What flows of a context can call, by the names that they know, for whoever judges them before they run. */
export function flowOperations(
  connections: Pick<ConnectionLibrary, 'visible'>,
  documents: Pick<ConnectionDocuments, 'of' | 'operation'>
) {
  return {
    async find(
      context: string,
      name: string,
      operation: string
    ): Promise<ApiOperation | 'no document' | 'no operation' | undefined> {
      const connection = connections.visible(context, name)
      if (connection === undefined) return undefined
      if (documents.of(connection) === undefined) return 'no document'
      return (await documents.operation(connection, operation)) ?? 'no operation'
    }
  }
}
