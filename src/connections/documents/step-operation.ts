import { StepError } from '../../engine/step-error.ts'
import type { ApiOperation } from '../../flows/step/api-operation.ts'
import type { Connection } from '../connection.ts'
import type { ConnectionDocuments } from './connection-documents.ts'

/** The operation that a step names. What keeps it from being found is the error of the step. */
export async function stepOperation(
  documents: Pick<ConnectionDocuments, 'of' | 'operation' | 'search'> | undefined,
  connection: Pick<Connection, 'id' | 'name' | 'settings'>,
  name: string
): Promise<ApiOperation> {
  const found = await documents?.operation(connection, name)
  if (found !== undefined) return found
  if (documents?.of(connection) === undefined)
    throw new StepError(
      `The connection "${connection.name}" has no document that says what its API offers. Give it the OpenAPI document of the API, on the page Connections.`,
      { code: 'document_missing', retryable: false }
    )
  const [near] = await documents.search(connection, name)
  const meant = near === undefined ? '' : ` Did you mean "${near.id}"?`
  throw new StepError(
    `The document of the connection "${connection.name}" has no operation ${JSON.stringify(name.slice(0, 300))}.${meant} Choose one that it has; the document may have been replaced.`,
    { code: 'operation_not_found', retryable: false }
  )
}
