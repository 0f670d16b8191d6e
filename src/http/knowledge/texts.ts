import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { count } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { LONGEST_ID, LONGEST_QUERY, MOST_MATCHES } from '../../knowledge/knowledge.ts'
import type { KnowledgeForPeople } from '../../knowledge/knowledge-for-people.ts'
import { textNotFound } from '../../knowledge/knowledge-refusals.ts'
import { mayRead } from '../access/access.ts'
import { describedAs } from '../operations/described-schema.ts'
import { KNOWLEDGE_BODY } from '../requests/body-limits.ts'
import { IdParams, nothing, notShown } from '../schemas.ts'
import { presentText, TextBody } from './collection-bodies.ts'
import { type CollectionRoutesDeps, seenCollection } from './collections.ts'

const tags = ['Collections']

const Metadata = Type.Record(Type.String(), Type.Unknown())
const SearchBody = Type.Object(
  {
    query: Type.String({ maxLength: LONGEST_QUERY }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_MATCHES, default: 5 })),
    mode: Type.Optional(Type.Enum(['Both', 'Meaning', 'Words'], { default: 'Both' })),
    filter: Type.Optional(describedAs(Metadata, { description: 'What the metadata has to hold' }))
  },
  { additionalProperties: false }
)
const MatchesBody = Type.Object({
  matches: Type.Array(
    Type.Object({
      id: Type.String(),
      text: Type.String(),
      score: Type.Number({ minimum: 0, maximum: 1 }),
      metadata: Metadata
    })
  )
})
export const TextId = Type.String({
  maxLength: LONGEST_ID,
  description: 'Empty: the same text is there once'
})
export const ChunkSizes = {
  chunk: Type.Optional(Type.Integer({ minimum: 50, maximum: 8000, default: 1000 })),
  overlap: Type.Optional(Type.Integer({ minimum: 0, maximum: 4000, default: 100 }))
}
export const WrittenAnswer = Type.Object({ id: Type.String(), chunks: count() })
export const WRITE_REFUSALS = [
  'collection_not_found',
  'collection_full',
  'collection_unsearchable',
  'knowledge_text_invalid'
] as const
const WrittenBody = Type.Object(
  {
    id: Type.Optional(TextId),
    text: Type.String(),
    metadata: Type.Optional(Metadata),
    ...ChunkSizes
  },
  { additionalProperties: false }
)
const ListQuery = Type.Object({
  after: Type.Optional(Type.String({ maxLength: LONGEST_ID, description: '`next` of the page before' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 }))
})
/** In the query and not in the path: an id may be an address. */
const OneQuery = Type.Object({ text: describedAs(Type.String(), { minLength: 1, maxLength: LONGEST_ID }) })
const ChunksQuery = Type.Object({
  ...OneQuery.properties,
  from: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }))
})

const CHUNKS_AT_ONCE = 50

export interface TextRoutesDeps extends CollectionRoutesDeps {
  readonly now: () => number
  readonly knowledgeForPeople: Pick<KnowledgeForPeople, 'search' | 'write'>
}

/** The texts of a collection, for people to search, to read and to mend. */
export function knowledgeTextRoutes(app: FastifyInstance, deps: TextRoutesDeps): void {
  searchRoute(app, deps)
  listTextsRoute(app, deps)
  writeTextRoute(app, deps)
  readChunksRoute(app, deps)
  deleteTextRoute(app, deps)
}

function searchRoute(app: FastifyInstance, deps: TextRoutesDeps): void {
  app.post<{ Params: { id: string }; Body: Static<typeof SearchBody> }>(
    '/api/v1/collections/:id/search',
    {
      config: { access: 'read' },
      bodyLimit: KNOWLEDGE_BODY,
      schema: {
        tags,
        operationId: 'searchCollection',
        summary: 'Search a collection',
        refuses: [
          'collection_not_found',
          'collection_without_model',
          'collection_unsearchable',
          'knowledge_question_invalid'
        ],
        description: 'As Knowledge Search does. Pieces of texts, the best first.',
        params: IdParams,
        body: SearchBody,
        response: { 200: MatchesBody }
      }
    },
    async (request) => {
      const collection = await seenCollection(request, deps)
      const { query, limit = 5, mode = 'Both', filter = {} } = request.body
      const question = { query, limit, mode, filter: filter as Record<string, never> }
      const { matches } = await deps.knowledgeForPeople.search(collection, question)
      return { matches }
    }
  )
}

function listTextsRoute(app: FastifyInstance, deps: TextRoutesDeps): void {
  app.get<{ Params: { id: string }; Querystring: Static<typeof ListQuery> }>(
    '/api/v1/collections/:id/texts',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listCollectionTexts',
        summary: 'List the texts of a collection',
        refuses: ['collection_not_found'],
        description: 'In the order of their ids.',
        params: IdParams,
        querystring: ListQuery,
        response: {
          200: Type.Object({ texts: Type.Array(TextBody), next: Nullable(Type.String()) })
        }
      }
    },
    async (request) => {
      const { id: collectionId } = await seenCollection(request, deps)
      const { after, limit = 50 } = request.query
      const question = { collectionId, limit: limit + 1, ...(after !== undefined && { after }) }
      const texts = await deps.store.knowledge.texts(question)
      const shown = texts.slice(0, limit)
      return { texts: shown.map(presentText), next: texts.length > limit ? shown.at(-1)!.id : null }
    }
  )
}

function writeTextRoute(app: FastifyInstance, deps: TextRoutesDeps): void {
  app.post<{ Params: { id: string }; Body: Static<typeof WrittenBody> }>(
    '/api/v1/collections/:id/texts',
    {
      config: { access: 'write' },
      bodyLimit: KNOWLEDGE_BODY,
      schema: {
        tags,
        operationId: 'writeCollectionText',
        summary: 'Write a text into a collection',
        refuses: [...WRITE_REFUSALS],
        description: 'As Knowledge Write does: writing an id again replaces its text.',
        params: IdParams,
        body: WrittenBody,
        response: {
          200: WrittenAnswer,
          204: notShown()
        }
      }
    },
    async (request, reply) => {
      const collection = await seenCollection(request, deps)
      const { id = '', text, metadata = {}, chunk = 1000, overlap = 100 } = request.body
      const written = { id, text, metadata: metadata as Record<string, never>, chunk, overlap }
      const { id: named, chunks } = await deps.knowledgeForPeople.write(collection, written)
      return mayRead(request) ? { id: named, chunks } : reply.code(204).send()
    }
  )
}

function readChunksRoute(app: FastifyInstance, deps: TextRoutesDeps): void {
  app.get<{ Params: { id: string }; Querystring: Static<typeof ChunksQuery> }>(
    '/api/v1/collections/:id/chunks',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readCollectionText',
        summary: 'Read the pieces of a text',
        refuses: ['collection_not_found', 'knowledge_text_not_found'],
        description: `${CHUNKS_AT_ONCE} at a time.`,
        params: IdParams,
        querystring: ChunksQuery,
        response: {
          200: Type.Object({
            ...TextBody.properties,
            pieces: Type.Array(Type.Object({ place: count(), text: Type.String() })),
            next: Nullable(count({ description: '`from` of the next page' }))
          })
        }
      }
    },
    async (request) => {
      const collection = await seenCollection(request, deps)
      const { text: id, from = 0 } = request.query
      const { knowledge } = deps.store
      const text = await knowledge.text(collection.id, id)
      if (text === undefined) throw textNotFound(collection, id)
      const chunks = await knowledge.chunks(text.content, from, CHUNKS_AT_ONCE)
      const next = from + chunks.length
      return {
        ...presentText(text),
        pieces: chunks.map((chunk, index) => ({ place: from + index, text: chunk.text })),
        next: next < text.chunks ? next : null
      }
    }
  )
}

function deleteTextRoute(app: FastifyInstance, deps: TextRoutesDeps): void {
  app.delete<{ Params: { id: string }; Querystring: Static<typeof OneQuery> }>(
    '/api/v1/collections/:id/texts',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'deleteCollectionText',
        summary: 'Delete a text of a collection',
        refuses: ['collection_not_found', 'knowledge_text_not_found'],
        params: IdParams,
        querystring: OneQuery,
        response: { 204: nothing('Deleted') }
      }
    },
    async (request, reply) => {
      const collection = await seenCollection(request, deps)
      const { text: id } = request.query
      if (!(await deps.store.knowledge.remove(collection.id, id, deps.now())))
        throw textNotFound(collection, id)
      return reply.code(204).send()
    }
  )
}
