import type { FastifyInstance, FastifyRequest, preValidationHookHandler } from 'fastify'
import type { Static } from 'typebox'
import { numbered, numberedOrNone } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { Expectations } from '../../runs/rehearsal/expectations.ts'
import { actorOf, mayRead, visibleFlow } from '../access/access.ts'
import { Flow, IdParams, notShown } from '../schemas.ts'
import { DraftAnswer, type DraftRoutesDeps, sendDraft } from './drafts.ts'
import { assertExpected } from './expected-of-draft.ts'
import { assertMayPut, makerOf, toldToReaders } from './flow-access.ts'
import { showFlow } from './present-flow.ts'

const tags = ['Drafts']

const Revision = numberedOrNone({
  description: 'The revision of the draft that was reviewed; any other is refused with 409'
})

const Publish = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 200, description: 'What the version is called' })),
    note: Type.Optional(Type.String({ maxLength: 2_000, description: 'A sentence about it' })),
    revision: Type.Optional(Revision),
    live_version: Type.Optional(
      numbered({ description: 'The version that it replaces; any other is refused with 409' })
    ),
    accept_failing: Type.Optional(
      Type.Boolean({ description: 'Publishes also what does not do what is expected of the flow' })
    )
  },
  { additionalProperties: false }
)

const Undo = Type.Object(
  {
    version: Type.Optional(
      numbered({ description: 'The version that was published; any other is refused with 409' })
    )
  },
  { additionalProperties: false }
)

const Restore = Type.Object(
  { version: numbered(), revision: Type.Optional(Revision) },
  { additionalProperties: false }
)

interface PublishDeps extends DraftRoutesDeps {
  readonly expectations: Expectations
}

/** All of its members may be left out, and so may the body. */
const bodyOrNone: preValidationHookHandler = (request, _reply, done) => {
  request.body ??= {}
  done()
}

/** From the draft to what is live, and back. */
export function publishRoutes(app: FastifyInstance, deps: PublishDeps): void {
  publishDraftRoute(app, deps)
  undoPublishRoute(app, deps)
  restoreDraftRoute(app, deps)
}

function publishDraftRoute(app: FastifyInstance, deps: PublishDeps): void {
  const { library, drafts } = deps
  app.post<{ Params: { id: string }; Body: Static<typeof Publish> }>(
    '/api/v1/flows/:id/publish',
    {
      config: { access: 'write', takes: { body: Nullable(Publish), isOptional: true } },
      preValidation: bodyOrNone,
      schema: {
        tags,
        operationId: 'publishDraft',
        summary: 'Make the draft live',
        refuses: [
          'flow_not_found',
          'draft_not_found',
          'draft_conflict',
          'flow_conflict',
          'flow_from_file',
          'flow_invalid',
          'slug_taken',
          'expectations_failed'
        ],
        description:
          'It becomes the next version and is no longer a draft. 404 where there is none, 422 with errors where it is not valid. It is held against what is expected of the flow, and refused with 409 where it comes to something else, unless accept_failing is true. Runs that have begun finish on the version that they began with.',
        params: IdParams,
        body: Publish,
        response: { 200: Flow, 204: notShown() }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { revision: sent, live_version: liveVersion, accept_failing: acceptsFailing } = request.body
      const publish = async () => {
        const held = acceptsFailing === true ? undefined : await assertExpected(request, flow, deps)
        const revision = sent ?? held
        return drafts.publish(flow, {
          ...makerOf(request, library),
          name: textOrNull(request.body.name),
          note: textOrNull(request.body.note),
          assertMayPut: mayPut(request),
          ...(revision === undefined ? {} : { revision }),
          ...(liveVersion === undefined ? {} : { liveVersion })
        })
      }
      return showFlow(reply, await toldToReaders(request, publish))
    }
  )
}

function undoPublishRoute(app: FastifyInstance, { library, drafts }: DraftRoutesDeps): void {
  app.post<{ Params: { id: string }; Body: Static<typeof Undo> }>(
    '/api/v1/flows/:id/publish/undo',
    {
      config: { access: 'write', takes: { body: Nullable(Undo), isOptional: true } },
      preValidation: bodyOrNone,
      schema: {
        tags,
        operationId: 'undoPublish',
        summary: 'Undo the last publish',
        refuses: [
          'flow_not_found',
          'nothing_to_undo',
          'draft_conflict',
          'flow_conflict',
          'flow_from_file',
          'flow_invalid',
          'slug_taken'
        ],
        description:
          'The version before is live again, as a version of its own, and what was published is the draft again. 409 where the live version was not published.',
        params: IdParams,
        body: Undo,
        response: { 200: Flow, 204: notShown() }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { version } = request.body
      const undone = await drafts.undoPublish(flow, {
        ...makerOf(request, library),
        assertMayPut: mayPut(request),
        ...(version === undefined ? {} : { version })
      })
      return showFlow(reply, undone)
    }
  )
}

function restoreDraftRoute(app: FastifyInstance, deps: DraftRoutesDeps): void {
  const { library, drafts } = deps
  app.post<{ Params: { id: string }; Body: Static<typeof Restore> }>(
    '/api/v1/flows/:id/draft/restore',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'restoreDraft',
        summary: 'Make an earlier version the draft',
        refuses: ['flow_not_found', 'version_not_found', 'draft_conflict', 'flow_from_file'],
        description:
          'Nothing of it is live until it is published. Where there is a draft, send its revision: it is replaced.',
        params: IdParams,
        body: Restore,
        response: { 200: DraftAnswer, 204: notShown() }
      }
    },
    async (request, reply) => {
      const flow = visibleFlow(request, library, request.params.id)
      const { version, revision = 0 } = request.body
      const { author } = makerOf(request, library)
      const draft = await drafts.restore(flow, version, { revision, author, assertMayPut: mayPut(request) })
      return mayRead(request) ? sendDraft(request, reply, draft, deps) : reply.code(204).send()
    }
  )
}

function mayPut(request: FastifyRequest) {
  return (live: LiveFlow, context: unknown) => assertMayPut(actorOf(request), live, context)
}

function textOrNull(text = ''): string | null {
  return text.trim() === '' ? null : text.trim()
}
