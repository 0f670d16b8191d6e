import type { FastifyInstance } from 'fastify'
import type { ApiParts } from '../api-parts.ts'
import { registerOwn } from '../own-registration.ts'
import { completionsRoute } from './completions.ts'
import { modelRoutes } from './models.ts'
import { answerAsOpenAi } from './openai-refusals.ts'

/** What clients of OpenAI call. */
export function openAiApi(app: FastifyInstance, parts: ApiParts): void {
  registerOwn(app, parts.tree, (scope) => {
    answerAsOpenAi(scope, parts.refusals)
    completionsRoute(scope, parts)
    modelRoutes(scope, parts)
  })
}
