import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AssistantTask, leftByCaller } from '../../assistant/assistant.ts'
import type { EditedDocument } from '../../assistant/flow-edits.ts'
import { instructions } from '../../assistant/instructions.ts'
import { asDocument, LONGEST_FLOW, toldFlow } from '../../assistant/told-flow.ts'
import { MODEL_KINDS } from '../../components/language-model/model-kinds.ts'
import { seenFrom } from '../../connections/seen-connections.ts'
import { MillraceError } from '../../errors.ts'
import { withoutSecrets } from '../../flows/component/without-secrets.ts'
import { type DraftDocument, readDraftInTurns } from '../../flows/validate/draft-document.ts'
import { toldFaults } from '../../flows/validate/told-faults.ts'
import { may } from '../../keys/rights.ts'
import { assertNotOfFile } from '../../library/file-flows.ts'
import { flowInvalid } from '../../library/flow-refusals.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { actorOf, forbidden, visibleFlow } from '../access/access.ts'
import type { ApiParts } from '../api-parts.ts'
import { EventBody } from '../chat/event-body.ts'
import { assertMayPut, knownTo } from '../flows/flow-access.ts'
import { IdParams, textOf } from '../schemas.ts'
import { AskedAssistant } from './assistant-schema.ts'
import { Looks } from './looks.ts'
import { questionOf } from './question.ts'

type Asking = FastifyRequest<{ Params: { id: string }; Body: AskedAssistant }>

/** A flow of more than this cannot be told to a model. */
const ASSISTANT_BODY = 2 * 1024 * 1024

/** A model proposes changes of a flow; a person keeps them, or does not. */
export function assistantRoute(app: FastifyInstance, parts: ApiParts): void {
  const { library, assistant, clock } = parts
  app.post<{ Params: { id: string }; Body: AskedAssistant }>(
    '/api/v1/flows/:id/assistant',
    {
      config: { access: 'write' },
      bodyLimit: ASSISTANT_BODY,
      schema: {
        tags: ['Drafts'],
        operationId: 'askAssistant',
        summary: 'Let a model propose changes of a flow',
        refuses: [
          'flow_not_found',
          'flow_invalid',
          'flow_from_file',
          'context_not_found',
          'connection_not_found',
          'connection_invalid',
          'run_not_found',
          'assistant_flow_too_large',
          'assistant_limited'
        ],
        description:
          'The answer is a stream of events: doing ({"text"}), delta ({"text"}), restart, and end ({"status","text","proposal","error","usage"}), whose proposal is a document with its errors and warnings, or null. Nothing is saved, run or published; who goes away ends it. What the model is asked costs as in a run of the flow. Needs the rights read, write and trigger.',
        params: IdParams,
        body: AskedAssistant,
        response: { 200: textOf('text/event-stream', 'What it does and says, and its proposal') }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const actor = actorOf(request)
      for (const right of ['read', 'trigger'] as const) if (!may(actor, right)) throw forbidden(actor, right)
      assertNotOfFile(flow)
      const place = assistant.enter(actor.keyId)
      try {
        const task = await taskOf(request, flow, parts)
        const body = new EventBody(reply, clock)
        if (body.gone.aborted) place.end(leftByCaller())
        else body.gone.addEventListener('abort', () => place.end(leftByCaller()), { once: true })
        assistant
          .run(
            task,
            {
              doing: (text) => body.tell('doing', { text }),
              text: (text) => body.tell('delta', { text }),
              restart: () => body.tell('restart', {})
            },
            place.signal
          )
          .then((end) => body.tell('end', presentEnd(end)))
          .finally(() => {
            place.leave()
            body.end()
          })
          .catch((error) => request.log.error({ err: error }, 'the assistant could not tell its end'))
        return reply
      } catch (error) {
        place.leave()
        throw error
      }
    }
  )
}

function presentEnd({ proposal, ...end }: Awaited<ReturnType<ApiParts['assistant']['run']>>) {
  if (proposal === null) return { ...end, proposal: null }
  const { errors, warnings } = proposal
  return { ...end, proposal: { ...proposal, errors: toldFaults(errors), warnings: toldFaults(warnings) } }
}

async function taskOf(request: Asking, flow: LiveFlow, parts: ApiParts): Promise<AssistantTask> {
  const { library, drafts, catalogue, connections, tree } = parts
  const { connection, model, before = [], data = false } = request.body
  const document = await readDraft(request.body.document, flow, parts)
  const context = String(document.context)
  assertMayPut(actorOf(request), flow, context)
  if (!tree.has(context)) throw noContext(context)
  const seen = seenFrom(context, connections.list()).map((each) => each.connection)
  assertModelConnection(connection, context, seen)
  const told = toldFlow(withoutSecrets(asDocument(document), catalogue) as unknown as EditedDocument)
  if (told.length > LONGEST_FLOW) throw tooLarge(told.length)
  const looks = new Looks({ request, parts, flow, context, hasData: data })
  const named = seen.map(({ name, kind }) => ({ name, kind }))
  const knows = knownTo(request, library)
  return {
    flowId: flow.id,
    context,
    connection,
    model,
    document,
    before,
    system: instructions(await looks.componentLines()),
    question: await questionOf({ asked: request.body, document, flow: told, connections: named, looks }),
    looks: looks.all,
    judge: async (proposed) => {
      const read = await library.inTurns(readDraftInTurns(proposed))
      if (read.document === undefined) return { errors: read.faults, warnings: [], isNone: true }
      const judged = { flow, document: read.document }
      return { errors: await drafts.faultsOf(judged, knows), warnings: await drafts.warningsOf(judged) }
    }
  }
}

async function readDraft(
  sent: AskedAssistant['document'],
  flow: LiveFlow,
  { library }: Pick<ApiParts, 'library'>
): Promise<DraftDocument & EditedDocument> {
  const { slug = flow.slug, context = flow.context } = sent as Readonly<Record<string, unknown>>
  const { document, faults } = await library.inTurns(readDraftInTurns({ ...sent, slug, context }))
  if (document === undefined) throw flowInvalid(faults)
  return document as DraftDocument & EditedDocument
}

function assertModelConnection(
  name: string,
  context: string,
  seen: readonly { readonly name: string; readonly kind: string }[]
): void {
  const found = seen.find((connection) => connection.name === name)
  if (found === undefined)
    throw new MillraceError(
      'connection_not_found',
      `The context "${context}" sees no connection "${name}". Choose one that it sees.`
    )
  if (MODEL_KINDS.some((kind) => kind === found.kind)) return
  throw new MillraceError(
    'connection_invalid',
    `The connection "${name}" is of the kind ${found.kind} and leads to no model. Choose one of ${MODEL_KINDS.join(', ')}.`
  )
}

function noContext(context: string): MillraceError {
  return new MillraceError('context_not_found', `There is no context "${context}".`)
}

function tooLarge(characters: number): MillraceError {
  return new MillraceError(
    'assistant_flow_too_large',
    `The flow has ${Math.round(characters / 1000)} thousand characters, and ${LONGEST_FLOW / 1000} thousand are what a model is told at once. Split it into several, which Run Flow joins.`
  )
}
