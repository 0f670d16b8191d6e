import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { Type } from '../../flows/json/schema-builder.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { visibleFlow, visibleFlows } from '../access/access.ts'
import { chatting } from '../chat/chat-refusals.ts'
import { PathText } from '../schemas.ts'
import { Model } from './completion-shapes.ts'

const tags = ['Chat clients']

/** The flows that the key may talk to, as clients of OpenAI look for models. */
export function modelRoutes(app: FastifyInstance, { library }: { readonly library: FlowLibrary }): void {
  app.get(
    '/v1/models',
    {
      config: { access: 'trigger' },
      schema: {
        tags,
        operationId: 'listChatModels',
        summary: 'The flows with a Chat Input, as models',
        response: { 200: Type.Object({ object: Type.Literal('list'), data: Type.Array(Model) }) }
      }
    },
    (request: FastifyRequest) => ({
      object: 'list' as const,
      data: visibleFlows(request, library)
        .filter(({ hasChatInput }) => hasChatInput)
        .map(modelOf)
    })
  )
  app.get<{ Params: { model: string } }>(
    '/v1/models/:model',
    {
      config: { access: 'trigger' },
      schema: {
        tags,
        operationId: 'readChatModel',
        summary: 'A flow with a Chat Input, as a model',
        refuses: ['flow_not_found', 'flow_without_chat_input', 'flow_context_gone'],
        params: Type.Object({ model: PathText }),
        response: { 200: Model }
      }
    },
    (request) => modelOf(chatting(visibleFlow(request, library, request.params.model)))
  )
}

function modelOf({ slug, createdAt }: LiveFlow): Static<typeof Model> {
  return { id: slug, object: 'model', created: Math.floor(createdAt / 1000), owned_by: 'millrace' }
}
