import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { canSee, seesAll } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { type Approvals, approvalNotFound } from '../../runs/approvals.ts'
import { APPROVAL_STATUSES, type ApprovalStatus } from '../../runs/present/approval.ts'
import type { StoredWait } from '../../store/waits.ts'
import { actorOf, mayRead } from '../access/access.ts'
import { badCursor, flowIdsOf } from '../runs/run-query.ts'
import { IdParams, notShown } from '../schemas.ts'

interface ApprovalRoutesDeps {
  readonly approvals: Approvals
  readonly library: FlowLibrary
}

const tags = ['Waiting']

/** In characters. */
export const LONGEST_COMMENT = 4_000

const ApprovalShape = Type.Object({
  id: Type.String(),
  run_id: Type.String(),
  flow_id: Type.String(),
  node: Type.String(),
  question: Type.String(),
  choices: Type.Array(Type.String()),
  created_at: Time,
  expires_at: Nullable(Time),
  status: Type.Enum(APPROVAL_STATUSES),
  test: Type.Boolean({ description: 'A test of a draft asks' }),
  answer: Nullable(
    Type.Object({
      choice: Type.String(),
      comment: Nullable(Type.String()),
      by: Nullable(
        Type.String({
          description: 'The name of the key; by a link, what the person wrote there, if anything'
        })
      ),
      via: Type.Enum(['key', 'link']),
      at: Time
    })
  )
})

const Query = Type.Object(
  {
    status: Type.Optional(Type.Enum(APPROVAL_STATUSES)),
    flow_id: Type.Optional(Type.String({ description: 'Id or slug of a flow' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    cursor: Type.Optional(Type.String({ description: 'The next_cursor of an earlier answer' }))
  },
  { additionalProperties: false }
)

interface Query {
  readonly status?: ApprovalStatus
  readonly flow_id?: string
  readonly limit?: number
  readonly cursor?: string
}

const AnswerBody = Type.Object(
  {
    choice: Type.String({ minLength: 1, maxLength: 1_000, description: 'One of its choices' }),
    comment: Type.Optional(Nullable(Type.String({ maxLength: LONGEST_COMMENT })))
  },
  { additionalProperties: false }
)

/** Questions that runs put to people: what is asked, and the answer. */
export function approvalRoutes(app: FastifyInstance, { approvals, library }: ApprovalRoutesDeps): void {
  app.get<{ Querystring: Query }>(
    '/api/v1/approvals',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listApprovals',
        summary: 'List questions that runs ask, newest first',
        querystring: Query,
        response: {
          200: Type.Object({ approvals: Type.Array(ApprovalShape), next_cursor: Nullable(Type.String()) })
        }
      }
    },
    async (request) => {
      const { status, flow_id, limit = 100, cursor } = request.query
      const flowIds = flowIdsOf(request, flow_id, library)
      const before = cursor === undefined ? undefined : cursorOf(cursor)
      const found = await approvals.list({
        limit,
        status,
        ...(flowIds !== undefined && { flowIds }),
        ...(before !== undefined && { before })
      })
      return { approvals: found.approvals, next_cursor: found.next === null ? null : cursorFor(found.next) }
    }
  )

  app.get<{ Params: { id: string } }>(
    '/api/v1/approvals/:id',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readApproval',
        summary: 'Read a question',
        refuses: ['approval_not_found'],
        params: IdParams,
        response: { 200: ApprovalShape }
      }
    },
    async (request) => approvals.present(await visibleApproval(request, { approvals, library }))
  )

  app.post<{ Params: { id: string }; Body: { choice: string; comment?: string | null } }>(
    '/api/v1/approvals/:id',
    {
      config: { access: 'trigger' },
      schema: {
        tags,
        operationId: 'answerApproval',
        summary: 'Answer a question',
        refuses: ['approval_not_found', 'approval_closed', 'unknown_choice'],
        description:
          'Once only: when it has been answered, or its time is over, the answer is 409. Anything that is not one of its choices is refused with 422, which lists them.',
        params: IdParams,
        body: AnswerBody,
        response: { 200: ApprovalShape, 204: notShown() }
      }
    },
    async (request, reply) => {
      const wait = await visibleApproval(request, { approvals, library })
      const { choice, comment = null } = request.body
      const by = actorOf(request).name
      const answered = await approvals.answer(wait, { choice, comment, by, via: 'key' })
      return mayRead(request) ? answered : reply.code(204).send()
    }
  )
}

/** Seen by whoever sees the flow; those of a deleted flow only by a key that sees everything. */
async function visibleApproval(
  request: FastifyRequest<{ Params: { id: string } }>,
  { approvals, library }: ApprovalRoutesDeps
): Promise<StoredWait> {
  const wait = await approvals.find(request.params.id)
  const flow = wait === undefined ? undefined : library.find(wait.flowId)
  const actor = actorOf(request)
  const isSeen = seesAll(actor) || (flow !== undefined && canSee(actor, flow))
  if (wait === undefined || !isSeen) throw approvalNotFound()
  return wait
}

function cursorFor({ createdAt, id }: StoredWait): string {
  return `${createdAt}.${id}`
}

function cursorOf(text: string): { createdAt: number; id: string } {
  const [, createdAt, id] = /^(\d{1,15})\.([\w-]{1,64})$/.exec(text) ?? []
  if (createdAt !== undefined && id !== undefined) return { createdAt: Number(createdAt), id }
  throw badCursor(text)
}
