import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import { LAST_NUMBER, numbered } from '../../flows/json/bounded-numbers.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { draftMembers } from '../../flows/validate/draft-document.ts'
import { toldFaults } from '../../flows/validate/told-faults.ts'
import type { Draft } from '../../library/draft.ts'
import type { Drafts } from '../../library/drafts.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { timeText } from '../../runs/present/time-text.ts'
import { actorOf, visibleFlow } from '../access/access.ts'
import { DOCUMENT_BODY } from '../requests/body-limits.ts'
import { Fault, IdParams, nothing, OrNone } from '../schemas.ts'
import { sendJson } from '../send-json.ts'
import { assertMayPut, knownTo, readableDraft } from './flow-access.ts'
import { DraftDocumentSent } from './sent-document.ts'

export interface DraftRoutesDeps {
  readonly library: FlowLibrary
  readonly drafts: Drafts
  readonly catalogue: Pick<Catalogue, 'find'>
}

const tags = ['Drafts']

type Sent = Readonly<Record<string, unknown>>

const Sent = Type.Record(Type.String(), Type.Unknown())

/** Besides these, the other members of a document, as they were sent. */
export const DraftAnswer = Type.Object({
  ...draftMembers,
  id: Type.String({ description: 'Of the flow' }),
  revision: numbered({ description: 'To be sent with the next edit; never given twice' }),
  base_version: numbered({ description: 'The live version that was edited' }),
  live_version: numbered(),
  behind: Type.Boolean({ description: 'A newer version is live than the one that was edited' }),
  errors: Type.Array(Fault, { description: 'What keeps it from being published' }),
  warnings: Type.Optional(
    Type.Array(Fault, { description: 'What is probably a mistake, such as a node that is not wired' })
  ),
  author: Nullable(Type.String({ description: 'The name of the key that saved it last' })),
  created_at: Time,
  updated_at: Time
})

/** Drafts: what people edit of a flow, while what is live goes on as it is. */
export function draftRoutes(app: FastifyInstance, deps: DraftRoutesDeps): void {
  const { library, drafts } = deps

  app.get<{ Params: { id: string }; Querystring: OrNone }>(
    '/api/v1/flows/:id/draft',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readDraft',
        summary: 'Read the draft of a flow',
        refuses: ['flow_not_found', 'draft_not_found'],
        description: 'With what keeps it from being published. 404 where the flow has none.',
        params: IdParams,
        querystring: OrNone,
        response: { 200: DraftAnswer, 204: nothing('The flow has none') }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const draft = request.query.or_none === 'true' ? await drafts.find(flow) : await drafts.get(flow)
      return draft === undefined ? reply.code(204).send() : sendDraft(request, reply, draft, deps)
    }
  )

  app.put<{ Params: { id: string }; Body: Sent }>(
    '/api/v1/flows/:id/draft',
    {
      config: { access: 'write', takes: { body: DraftDocumentSent } },
      bodyLimit: DOCUMENT_BODY,
      schema: {
        tags,
        operationId: 'saveDraft',
        summary: 'Save the draft of a flow',
        refuses: ['flow_not_found', 'flow_invalid', 'draft_conflict', 'flow_from_file', 'secret_key_missing'],
        description:
          'Nothing of it is live, and faults are told, not refused. Send the revision that was edited: a stale one is refused with 409. A document that is the same as the one that is there is no conflict.',
        params: IdParams,
        body: Sent,
        response: { 200: DraftAnswer }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      assertMayPut(actorOf(request), flow, request.body.context ?? flow.context)
      const baseVersion = wholeNumber(request.body, 'base_version', 1)
      const draft = await drafts.save(flow, request.body, {
        revision: wholeNumber(request.body, 'revision', 0) ?? 0,
        author: actorOf(request).name,
        ...(baseVersion === undefined ? {} : { baseVersion })
      })
      return sendDraft(request, reply, draft, deps)
    }
  )

  app.delete<{ Params: { id: string }; Querystring: { revision?: number } }>(
    '/api/v1/flows/:id/draft',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'discardDraft',
        summary: 'Discard the draft of a flow',
        refuses: ['flow_not_found', 'draft_not_found', 'draft_conflict'],
        params: IdParams,
        querystring: Type.Object({
          revision: Type.Optional(
            numbered({ description: 'Discards this revision only; any other is refused with 409' })
          )
        }),
        response: { 204: nothing('Discarded') }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      await drafts.remove(flow, request.query.revision)
      return reply.code(204).send()
    }
  )
}

/** Written in pieces: a draft may be as large as a body, and be asked for again and again. */
export async function sendDraft(
  request: FastifyRequest,
  reply: FastifyReply,
  draft: Draft,
  deps: DraftRoutesDeps
): Promise<FastifyReply> {
  return sendJson(reply, await presentDraft(request, draft, deps), nothingStored)
}

function nothingStored(): never {
  throw new Error('a draft is stored as a whole')
}

async function presentDraft(
  request: FastifyRequest,
  draft: Draft,
  { library, drafts, catalogue }: DraftRoutesDeps
) {
  const { flow, revision, baseVersion, author, createdAt, updatedAt } = draft
  const errors = toldFaults(await drafts.faultsOf(draft, knownTo(request, library)))
  const warnings = toldFaults(await drafts.warningsOf(draft))
  return {
    id: flow.id,
    ...readableDraft(request, draft.document, catalogue),
    revision,
    base_version: baseVersion,
    live_version: flow.version,
    behind: baseVersion < flow.version,
    errors,
    ...(warnings.length === 0 ? {} : { warnings }),
    author,
    created_at: timeText(createdAt),
    updated_at: timeText(updatedAt)
  }
}

/** Of a body whose other members are the document's. */
function wholeNumber(sent: Sent, name: string, least: number): number | undefined {
  const value = sent[name]
  if (value === undefined || value === null) return undefined
  const isOne = Number.isInteger(value) && (value as number) >= least && (value as number) <= LAST_NUMBER
  if (isOne) return value as number
  const message = `"${name}" is not a whole number from ${least} to ${LAST_NUMBER}. Send it as the draft was read, or leave it out where there was none.`
  throw new MillraceError('invalid_request', message, {
    errors: [{ code: 'invalid_shape', path: `/${name}`, message }]
  })
}
