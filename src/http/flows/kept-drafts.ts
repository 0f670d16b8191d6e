import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { numbered } from '../../flows/json/bounded-numbers.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { draftMembers } from '../../flows/validate/draft-document.ts'
import { timeText } from '../../runs/present/time-text.ts'
import { type KeptDraftSummary, MOST_KEPT_DRAFTS } from '../../store/kept-drafts.ts'
import { mayRead, visibleFlow } from '../access/access.ts'
import { IdParams, nothing, PathText } from '../schemas.ts'
import { sendJson } from '../send-json.ts'
import type { DraftRoutesDeps } from './drafts.ts'
import { readableDraft } from './flow-access.ts'
import { Because, KeptDraft } from './kept-draft-schema.ts'

const tags = ['Drafts']

const Keep = Type.Object({ because: Because }, { additionalProperties: false })
const KeptParams = Type.Object({ id: PathText, number: numbered() })

/** Drafts that were kept when something took their place. */
export function keptDraftRoutes(app: FastifyInstance, { library, drafts, catalogue }: DraftRoutesDeps): void {
  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id/draft/kept',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listKeptDrafts',
        summary: 'List the drafts that were kept',
        refuses: ['flow_not_found'],
        description: `Newest first, ${MOST_KEPT_DRAFTS} at the most. A draft is kept when a version is restored in its place, and when it is discarded.`,
        params: IdParams,
        response: { 200: Type.Object({ drafts: Type.Array(KeptDraft) }) }
      }
    },
    async (request) => {
      const flow = visibleFlow(request, library, request.params.id)
      return { drafts: (await drafts.kept.list(flow)).map(presentKept) }
    }
  )

  app.post<{ Params: { id: string }; Body: Static<typeof Keep> }>(
    '/api/v1/flows/:id/draft/kept',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'keepDraft',
        summary: 'Keep the draft as it is',
        refuses: ['flow_not_found'],
        description:
          'For whoever is about to put something else in its place by saving it. A draft that was kept already, as it is, is not kept again.',
        params: IdParams,
        body: Keep,
        response: { 200: KeptDraft, 204: nothing('The flow has no draft, or the key may not read') }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const kept = await drafts.kept.keep(flow, request.body.because)
      return kept === undefined || !mayRead(request) ? reply.code(204).send() : presentKept(kept)
    }
  )

  app.get<{ Params: { id: string; number: number } }>(
    '/api/v1/flows/:id/draft/kept/:number',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readKeptDraft',
        summary: 'Read a draft that was kept',
        refuses: ['flow_not_found', 'draft_not_found'],
        params: KeptParams,
        response: { 200: Type.Object({ ...KeptDraft.properties, document: Type.Object(draftMembers) }) }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const kept = await drafts.kept.read(flow, request.params.number)
      const document = readableDraft(request, kept.document, catalogue)
      return sendJson(reply, { ...presentKept(kept), document }, nothingStored)
    }
  )
}

function nothingStored(): never {
  throw new Error('a draft is stored as a whole')
}

function presentKept({ number, baseVersion, author, updatedAt, because }: KeptDraftSummary) {
  return { number, base_version: baseVersion, author, updated_at: timeText(updatedAt), because }
}
