import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { ConnectionLibrary } from '../../connections/connection-library.ts'
import {
  type ConnectionDocuments,
  documentNotFound
} from '../../connections/documents/connection-documents.ts'
import { amount } from '../../flows/json/bounded-numbers.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { StoredDocument } from '../../store/connection-documents.ts'
import { API_DOCUMENT_BODY } from '../requests/body-limits.ts'
import { IdParams, nothing } from '../schemas.ts'
import { readAsBytes } from '../webhook/webhook-body.ts'
import { visibleConnection } from './administered.ts'

const DocumentBody = Type.Object({
  format: Type.String({ description: 'What it is: `OpenAPI 3.0`, `OpenAPI 3.1` or `Swagger 2.0`' }),
  title: Type.String(),
  version: Type.String(),
  server: Nullable(
    Type.String({
      description:
        'Where it says that the API is. Requests go to the base URL of the connection, and never there'
    })
  ),
  operations: amount({ description: 'How many it has' }),
  size: amount({ description: 'Of the document as it was sent, in bytes' }),
  updated_at: Time
})

const Sent = Type.String({ description: 'OpenAPI 3.0, 3.1 or Swagger 2.0, as JSON or YAML' })

interface ConnectionDocumentDeps {
  readonly connections: ConnectionLibrary
  readonly apiDocuments: ConnectionDocuments
}

const config = { access: 'admin' } as const
const tags = ['Connections']
const path = '/api/v1/connections/:id/document'

interface IdRoute {
  Params: { id: string }
}

/** What the API of a connection offers, as its OpenAPI document tells. */
export function connectionDocumentRoutes(app: FastifyInstance, deps: ConnectionDocumentDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Told by what it is, and not by what it is said to be.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
    putDocumentRoute(scope, deps)
  })
  readDocumentRoute(app, deps)
  deleteDocumentRoute(app, deps)
}

function putDocumentRoute(
  app: FastifyInstance,
  { connections, apiDocuments: documents }: ConnectionDocumentDeps
): void {
  app.put<IdRoute & { Body: Buffer | null | undefined }>(
    path,
    {
      config: {
        ...config,
        takes: { body: Sent, types: ['application/json', 'application/yaml', '*/*'] }
      },
      bodyLimit: API_DOCUMENT_BODY,
      onRequest: (request, _reply, done) => {
        readAsBytes(request)
        done()
      },
      schema: {
        tags,
        operationId: 'putConnectionDocument',
        summary: 'Say what the API of a connection offers',
        refuses: ['connection_not_found', 'document_invalid'],
        description:
          'The body is its OpenAPI document, in place of the one that the connection had. References are followed inside of the document only.',
        params: IdParams,
        response: { 200: DocumentBody }
      }
    },
    async (request) => {
      const connection = visibleConnection(request, connections)
      return presentDocument(await documents.put(connection, request.body ?? new Uint8Array()))
    }
  )
}

function readDocumentRoute(
  app: FastifyInstance,
  { connections, apiDocuments: documents }: ConnectionDocumentDeps
): void {
  app.get<IdRoute>(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'readConnectionDocument',
        summary: 'Which document a connection has',
        refuses: ['connection_not_found', 'document_not_found'],
        params: IdParams,
        response: { 200: DocumentBody }
      }
    },
    async (request) => {
      const connection = visibleConnection(request, connections)
      const document = documents.of(connection)
      if (document === undefined) throw documentNotFound(connection.name)
      return presentDocument(document)
    }
  )
}

function deleteDocumentRoute(
  app: FastifyInstance,
  { connections, apiDocuments: documents }: ConnectionDocumentDeps
): void {
  app.delete<IdRoute>(
    path,
    {
      config,
      schema: {
        tags,
        operationId: 'deleteConnectionDocument',
        summary: 'Take the document of a connection away',
        refuses: ['connection_not_found', 'document_not_found'],
        params: IdParams,
        response: { 204: nothing('Deleted') }
      }
    },
    async (request, reply) => {
      await documents.remove(visibleConnection(request, connections))
      return reply.code(204).send()
    }
  )
}

function presentDocument(document: StoredDocument): Static<typeof DocumentBody> {
  const { format, title, version, server, operations, size, updatedAt } = document
  return { format, title, version, server, operations, size, updated_at: timeText(updatedAt) }
}
