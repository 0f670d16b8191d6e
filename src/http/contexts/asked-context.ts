import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { ContextTree } from '../../contexts/context-tree.ts'
import { MillraceError } from '../../errors.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { knowsContext } from '../access/access.ts'

export const ContextQuery = Type.Object({
  context: Type.Optional(Type.String({ description: 'Path of a context; the root where it is left out' }))
})
export type ContextQuery = Static<typeof ContextQuery>

export interface AskedContextDeps {
  readonly tree: ContextTree
  readonly library: FlowLibrary
}

/** The context that a request asks about, if there is one and the caller may know of it; the same answer otherwise. */
export function askedContext(
  request: FastifyRequest<{ Querystring: ContextQuery }>,
  { tree, library }: AskedContextDeps
): string {
  const { context = '/' } = request.query
  if (!tree.has(context) || !knowsContext(request, library, context)) throw noContext(context)
  return context
}

export function noContext(path: string): MillraceError {
  return new MillraceError(
    'context_not_found',
    `There is no context "${path}". GET /api/v1/contexts lists the contexts.`
  )
}
