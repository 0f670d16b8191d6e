import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { Type } from '../../flows/json/schema-builder.ts'
import type { Comments } from '../../library/comments.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { StoredComment } from '../../store/comments.ts'
import { actorOf, mayRead, visibleFlow } from '../access/access.ts'
import { IdParams, nothing, notShown, PathText } from '../schemas.ts'
import { Comment, Mark, Write } from './comment-schema.ts'

interface CommentDeps {
  readonly library: FlowLibrary
  readonly comments: Comments
}

const tags = ['Flows']
const OneParams = Type.Object({ id: PathText, comment: PathText })

/** What people write about a flow and its nodes. */
export function commentRoutes(app: FastifyInstance, deps: CommentDeps): void {
  listRoute(app, deps)
  writeRoute(app, deps)
  markRoute(app, deps)
  removeRoute(app, deps)
}

function listRoute(app: FastifyInstance, { library, comments }: CommentDeps): void {
  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id/comments',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listComments',
        summary: 'List the comments on a flow and its nodes',
        refuses: ['flow_not_found'],
        description: 'Oldest first. The event comments.changed tells that there are others.',
        params: IdParams,
        response: { 200: Type.Object({ comments: Type.Array(Comment) }) }
      }
    },
    async (request) => {
      const flow = visibleFlow(request, library, request.params.id)
      return { comments: (await comments.list(flow.id)).map(presentComment) }
    }
  )
}

function writeRoute(app: FastifyInstance, { library, comments }: CommentDeps): void {
  app.post<{ Params: { id: string }; Body: Static<typeof Write> }>(
    '/api/v1/flows/:id/comments',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'writeComment',
        summary: 'Write a comment',
        refuses: ['flow_not_found', 'comments_full'],
        description:
          'On a node, or on the flow as a whole. It stands beside the flow: no version has it, and it goes when the flow is deleted for good. A flow has at most 500.',
        params: IdParams,
        body: Write,
        response: { 201: Comment, 204: notShown() }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { text, node = null } = request.body
      const comment = await comments.add({ flowId: flow.id, node, text, author: actorOf(request).name })
      return mayRead(request) ? reply.code(201).send(presentComment(comment)) : reply.code(204).send()
    }
  )
}

function markRoute(app: FastifyInstance, { library, comments }: CommentDeps): void {
  app.patch<{ Params: { id: string; comment: string }; Body: Static<typeof Mark> }>(
    '/api/v1/flows/:id/comments/:comment',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'markComment',
        summary: 'Mark a comment as done, or as open again',
        refuses: ['flow_not_found', 'comment_not_found'],
        params: OneParams,
        body: Mark,
        response: { 200: Comment, 204: notShown() }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const doneBy = request.body.done ? actorOf(request).name : null
      const comment = await comments.mark(flow.id, request.params.comment, doneBy)
      return mayRead(request) ? presentComment(comment) : reply.code(204).send()
    }
  )
}

function removeRoute(app: FastifyInstance, { library, comments }: CommentDeps): void {
  app.delete<{ Params: { id: string; comment: string } }>(
    '/api/v1/flows/:id/comments/:comment',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'removeComment',
        summary: 'Remove a comment',
        refuses: ['flow_not_found', 'comment_not_found'],
        params: OneParams,
        response: { 204: nothing('It is gone') }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      await comments.remove(flow.id, request.params.comment)
      return reply.code(204).send()
    }
  )
}

function presentComment({ id, node, text, author, createdAt, doneAt, doneBy }: StoredComment) {
  return {
    ...{ id, node, text, author },
    created_at: timeText(createdAt),
    done_at: doneAt === null ? null : timeText(doneAt),
    done_by: doneBy
  }
}
