import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { MillraceError } from '../../errors.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { coversContext } from '../../keys/rights.ts'
import type { Collections } from '../../knowledge/collections.ts'
import { collectionNotFound } from '../../knowledge/knowledge-refusals.ts'
import type { StoredCollection } from '../../store/collections.ts'
import type { Store } from '../../store/store.ts'
import { actorOf, mayRead } from '../access/access.ts'
import { IdParams, nothing, notShown } from '../schemas.ts'
import {
  ChangedCollectionBody,
  CollectionBody,
  NewCollectionBody,
  OneCollectionBody,
  presentCollection
} from './collection-bodies.ts'

const tags = ['Collections']

export interface CollectionRoutesDeps {
  readonly collections: Collections
  readonly store: Pick<Store, 'knowledge'>
  readonly prefix: string
}

type OneRequest = FastifyRequest<{ Params: { id: string } }>

/** Collections: texts that flows find again by their words and by what they mean. */
export function collectionRoutes(app: FastifyInstance, deps: CollectionRoutesDeps): void {
  listCollectionsRoute(app, deps)
  createCollectionRoute(app, deps)
  readCollectionRoute(app, deps)
  changeCollectionRoute(app, deps)
  deleteCollectionRoute(app, deps)
}

function listCollectionsRoute(app: FastifyInstance, { collections }: CollectionRoutesDeps): void {
  app.get(
    '/api/v1/collections',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listCollections',
        summary: 'List collections',
        response: { 200: Type.Object({ collections: Type.Array(CollectionBody) }) }
      }
    },
    async (request) => {
      const actor = actorOf(request)
      const mine = (await collections.list()).filter(({ context }) => coversContext(actor, context))
      return { collections: mine.map(presentCollection) }
    }
  )
}

function createCollectionRoute(app: FastifyInstance, { collections, prefix }: CollectionRoutesDeps): void {
  app.post<{ Body: Static<typeof NewCollectionBody> }>(
    '/api/v1/collections',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'createCollection',
        summary: 'Make a collection',
        refuses: ['collection_exists', 'collection_invalid', 'connection_not_found', 'context_not_found'],
        body: NewCollectionBody,
        response: { 201: CollectionBody, 204: notShown() }
      }
    },
    async (request, reply) => {
      const { name, context = '/', connection = null, model = null } = request.body
      assertCovers(request, context)
      const made = await collections.create({ name, context, connection, model })
      reply.header('location', `${prefix}/api/v1/collections/${made.id}`)
      return mayRead(request) ? reply.code(201).send(presentCollection(made)) : reply.code(204).send()
    }
  )
}

function readCollectionRoute(app: FastifyInstance, deps: CollectionRoutesDeps): void {
  app.get<{ Params: { id: string } }>(
    '/api/v1/collections/:id',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readCollection',
        summary: 'Read a collection',
        refuses: ['collection_not_found'],
        params: IdParams,
        response: { 200: OneCollectionBody }
      }
    },
    async (request) => withPending(await seenCollection(request, deps), deps)
  )
}

function changeCollectionRoute(app: FastifyInstance, deps: CollectionRoutesDeps): void {
  app.put<{ Params: { id: string }; Body: Static<typeof ChangedCollectionBody> }>(
    '/api/v1/collections/:id',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'changeCollection',
        summary: 'Change a collection',
        refuses: ['collection_not_found', 'collection_exists', 'collection_invalid', 'connection_not_found'],
        description:
          'What is left out stays. With another model its texts are given their meaning anew, in the background: `pending` counts those that wait.',
        params: IdParams,
        body: ChangedCollectionBody,
        response: { 200: OneCollectionBody, 204: notShown() }
      }
    },
    async (request, reply) => {
      const before = await seenCollection(request, deps)
      const { name = before.name, connection = before.connection, model = before.model } = request.body
      const changed = await deps.collections.change(before, { name, connection, model })
      return mayRead(request) ? withPending(changed, deps) : reply.code(204).send()
    }
  )
}

function deleteCollectionRoute(app: FastifyInstance, deps: CollectionRoutesDeps): void {
  app.delete<{ Params: { id: string } }>(
    '/api/v1/collections/:id',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'deleteCollection',
        summary: 'Delete a collection with all its texts',
        refuses: ['collection_not_found'],
        params: IdParams,
        response: { 204: nothing('Deleted') }
      }
    },
    async (request, reply) => {
      await deps.collections.remove((await seenCollection(request, deps)).id)
      return reply.code(204).send()
    }
  )
}

/** The same answer whether there is none, or one that the caller may not know of. */
export async function seenCollection(
  request: OneRequest,
  { collections }: Pick<CollectionRoutesDeps, 'collections'>
): Promise<StoredCollection> {
  const found = await collections.find(request.params.id)
  if (found === undefined || !coversContext(actorOf(request), found.context)) throw collectionNotFound()
  return found
}

async function withPending(collection: StoredCollection, { store }: CollectionRoutesDeps) {
  const { id, model } = collection
  const pending = model === null ? 0 : await store.knowledge.countBesides(id, model)
  return { ...presentCollection(collection), pending }
}

function assertCovers(request: FastifyRequest, context: string): void {
  const actor = actorOf(request)
  if (coversContext(actor, context)) return
  const where = actor.context === null ? 'one flow' : `the context ${actor.context}`
  throw new MillraceError(
    'forbidden',
    `The key "${actor.name}" is bound to ${where}, and cannot make collections in ${context}.`
  )
}
