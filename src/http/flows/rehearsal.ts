import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify'
import type { Static } from 'typebox'
import { planFlow } from '../../engine/plan.ts'
import { MillraceError } from '../../errors.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { readInTurns } from '../../flows/validate/validate-flow.ts'
import { may } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { soundDocument } from '../../library/judge-flow.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { withSecretsOf } from '../../library/push/pushed-flow.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { RehearsalNews, Rehearsals } from '../../runs/rehearsal/rehearsals.ts'
import { actorOf, forbidden, mayRead, visibleFlow } from '../access/access.ts'
import { DOCUMENT_BODY } from '../requests/body-limits.ts'
import { IdParams, notShown } from '../schemas.ts'
import { sendJson } from '../send-json.ts'
import { assertMayPut, knownTo } from './flow-access.ts'
import { Asked, DEFAULT_RUNS, Rehearsal } from './rehearsal-schema.ts'
import { type TestedDeps, testOf } from './test-draft.ts'

interface RehearsalDeps extends TestedDeps {
  readonly rehearsals: Rehearsals
}

const bodyOrNone: preValidationHookHandler = (request, _reply, done) => {
  request.body ??= {}
  done()
}

/** Running the draft on what started the last live runs, without acting. */
export function rehearsalRoutes(app: FastifyInstance, deps: RehearsalDeps): void {
  const { library, rehearsals } = deps
  const common = { tags: ['Drafts'], params: IdParams }

  app.post<{ Params: { id: string }; Body: Static<typeof Asked> }>(
    '/api/v1/flows/:id/draft/rehearsal',
    {
      config: { access: 'write', takes: { body: Nullable(Asked), isOptional: true } },
      preValidation: bodyOrNone,
      bodyLimit: DOCUMENT_BODY,
      schema: {
        ...common,
        operationId: 'rehearseDraft',
        summary: 'Run the draft on the last live runs, without acting',
        refuses: ['flow_not_found', 'flow_invalid'],
        description:
          'Or what is live, where there is no draft, or a document that is sent. A step that has the fields and inputs that it had then gives what it gave then; of the others those that compute are run, and those that reach outside or wait are not. Nothing of it is a run. Needs the rights write and trigger.',
        body: Asked,
        response: { 202: Rehearsal, 204: notShown() }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { document: sent } = request.body
      const draft = sent === undefined ? await deps.drafts.find(flow) : undefined
      const { flow: tested, document } = await (sent === undefined
        ? testOf(request, flow, deps)
        : sentDocument(request, flow, sent, library))
      const plan = planFlow({ ...tested, document }, library.surroundings.catalogue)
      const news = await rehearsals.begin({
        flowId: flow.id,
        plan,
        revision: draft?.revision ?? null,
        runs: request.body.runs ?? DEFAULT_RUNS,
        author: actorOf(request).name
      })
      if (!mayRead(request)) return reply.code(204).send()
      return sendRehearsal(reply.code(202), news)
    }
  )

  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id/draft/rehearsal',
    {
      config: { access: 'read' },
      schema: {
        ...common,
        operationId: 'readRehearsal',
        summary: 'Read the last rehearsal of a flow',
        refuses: ['flow_not_found', 'rehearsal_not_found'],
        description: 'As far as it has come. 404 where the flow has not been rehearsed.',
        response: { 200: Rehearsal }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const news = await rehearsals.find(flow.id)
      if (news === undefined) throw notRehearsed(flow)
      return sendRehearsal(reply, news)
    }
  )
}

/** As it would be live: under the slug of the flow, with the secrets that files do not hold. */
async function sentDocument(
  request: FastifyRequest,
  flow: LiveFlow,
  sent: Readonly<Record<string, unknown>>,
  library: FlowLibrary
) {
  const actor = actorOf(request)
  for (const right of ['write', 'trigger'] as const) if (!may(actor, right)) throw forbidden(actor, right)
  const { slug, id, paused, version } = flow
  const context = sent.context ?? flow.context
  assertMayPut(actor, flow, context)
  const read = soundDocument(await library.inTurns(readInTurns({ ...sent, slug, context })))
  const whole = withSecretsOf(flow.document, read, library.surroundings.catalogue)
  return {
    flow: { id, paused, version },
    document: soundDocument(await library.check(whole, knownTo(request, library)))
  }
}

function sendRehearsal(reply: FastifyReply, news: RehearsalNews) {
  return sendJson(reply, presentRehearsal(news), nothingStored)
}

function presentRehearsal({ cases, ...news }: RehearsalNews) {
  const countOf = (verdict: string) => cases.filter((each) => each.verdict === verdict).length
  return {
    status: news.status,
    runs: cases.length,
    same: countOf('same'),
    different: countOf('different'),
    failed: countOf('failed'),
    unknown: countOf('unknown'),
    cases: cases.map(({ runId, ...finding }) => ({ run_id: runId, ...finding })),
    asked: news.asked,
    revision: news.revision,
    author: news.author,
    started_at: timeText(news.startedAt),
    finished_at: news.finishedAt === null ? null : timeText(news.finishedAt)
  }
}

function nothingStored(): never {
  throw new Error('a rehearsal is stored as a whole')
}

function notRehearsed({ id, slug }: LiveFlow): MillraceError {
  return new MillraceError(
    'rehearsal_not_found',
    `The flow "${slug}" has not been rehearsed. POST /api/v1/flows/${id}/draft/rehearsal rehearses its draft.`
  )
}
