import type { FastifyInstance } from 'fastify'
import type { ApiParts } from '../api-parts.ts'
import { connectionChoiceRoutes } from './connection-choices.ts'
import { connectionUseRoutes } from './connection-uses.ts'
import { connectionRoutes } from './connections.ts'
import { deletedConnectionRoutes } from './deleted-connections.ts'
import { connectionDocumentRoutes } from './documents.ts'
import { operationRoutes } from './operations.ts'
import { peerListRoutes } from './peer-lists.ts'
import { connectionSignInRoutes } from './sign-in.ts'

export function connectionApi(app: FastifyInstance, parts: ApiParts): void {
  connectionRoutes(app, parts)
  deletedConnectionRoutes(app, parts)
  connectionSignInRoutes(app, parts)
  connectionChoiceRoutes(app, parts)
  peerListRoutes(app, parts)
  connectionUseRoutes(app, parts)
  connectionDocumentRoutes(app, parts)
  operationRoutes(app, parts)
}
