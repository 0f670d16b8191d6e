import type { FastifyInstance } from 'fastify'
import type { ApiParts } from '../api-parts.ts'
import { collectionRoutes } from './collections.ts'
import { knowledgeTextRoutes } from './texts.ts'
import { uploadDocumentRoute } from './upload-document.ts'

export function knowledgeApi(app: FastifyInstance, parts: ApiParts): void {
  collectionRoutes(app, parts)
  knowledgeTextRoutes(app, parts)
  uploadDocumentRoute(app, parts)
}
