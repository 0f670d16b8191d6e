import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ContextTree } from '../../contexts/context-tree.ts'
import { explain } from '../../contexts/explain.ts'
import { REGISTRATION_KINDS, type RegistrationKind } from '../../contexts/registration.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { ContextLibrary } from '../../library/context-library.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { assertUnbound, knowsContext, mayRead, visibleFlows } from '../access/access.ts'
import { CONTEXT_BODY } from '../requests/body-limits.ts'
import { readExactJson } from '../requests/exact-body.ts'
import { nothing, PathText } from '../schemas.ts'
import { noContext } from './asked-context.ts'
import { assertFreeNames, ContextChange, NewContext, plainLimits, settingsOf } from './context-bodies.ts'
import { Context, Explanation } from './context-schemas.ts'
import { presentContext, presentExplanation } from './present-context.ts'

const tags = ['Contexts']

const ContextParams = Type.Object({
  context: { ...PathText, description: 'Id of a context, or its encoded path' }
})

const Question = Type.Object({
  context: Type.Optional(Type.String({ description: 'Path of a context; the root where it is left out' })),
  kind: Type.Enum(REGISTRATION_KINDS),
  name: Type.String({ minLength: 1 })
})

interface ContextRoutesDeps {
  readonly tree: ContextTree
  readonly contexts: ContextLibrary
  readonly library: FlowLibrary
  readonly prefix: string
}

/** The context tree: what each context registers and sees, why, and the contexts that hold data only. */
export function contextRoutes(app: FastifyInstance, deps: ContextRoutesDeps): void {
  readExactJson(app)
  app.addHook('preValidation', async ({ body }) => plainLimits(body))
  app.addHook('preHandler', async ({ body }) => assertFreeNames(body))

  listContextsRoute(app, deps)
  explainNameRoute(app, deps)
  createContextRoute(app, deps)
  readContextRoute(app, deps)
  changeContextRoute(app, deps)
  deleteContextRoute(app, deps)
}

function listContextsRoute(app: FastifyInstance, deps: ContextRoutesDeps): void {
  const { tree } = deps
  app.get(
    '/api/v1/contexts',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listContexts',
        summary: 'The context tree',
        response: { 200: Type.Object({ contexts: Type.Array(Context) }) }
      }
    },
    async (request) => {
      const flows = visibleFlows(request, deps.library)
      const known = tree.all().filter(({ path }) => knowsContext(request, deps.library, path))
      return { contexts: known.map((facts) => presentContext(facts, deps, flows)) }
    }
  )
}

function explainNameRoute(app: FastifyInstance, deps: ContextRoutesDeps): void {
  const { tree } = deps
  app.get<{ Querystring: { context?: string; kind: RegistrationKind; name: string } }>(
    '/api/v1/contexts/explain',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'explainName',
        summary: 'Why a context sees a name, or why not',
        refuses: ['context_not_found'],
        querystring: Question,
        response: { 200: Explanation }
      }
    },
    async (request) => {
      const { context = '/', kind, name } = request.query
      const knows = (path: string) => knowsContext(request, deps.library, path)
      if (!tree.has(context) || !knows(context)) throw noContext(context)
      return presentExplanation(explain(tree, { context, kind, name }, knows), { context, kind, name })
    }
  )
}

function createContextRoute(app: FastifyInstance, deps: ContextRoutesDeps): void {
  const { tree, contexts } = deps
  app.post<{ Body: NewContext }>(
    '/api/v1/contexts',
    {
      config: { access: 'admin' },
      bodyLimit: CONTEXT_BODY,
      schema: {
        tags,
        operationId: 'createContext',
        summary: 'Make a context that holds data',
        refuses: ['context_not_found', 'context_exists'],
        body: NewContext,
        response: { 201: Context }
      }
    },
    async (request, reply) => {
      assertUnbound(request)
      const { name, parent = '/', variables = {} } = request.body
      const made = await contexts.create({
        name,
        parent,
        variables: variables as Record<string, JsonValue>,
        settings: settingsOf(request.body, {})
      })
      return reply
        .code(201)
        .header('location', `${deps.prefix}/api/v1/contexts/${made.id}`)
        .send(shownTo(request, presentContext(tree.facts(made.path), deps, [])))
    }
  )
}

function readContextRoute(app: FastifyInstance, deps: ContextRoutesDeps): void {
  const { tree, contexts } = deps
  app.get<{ Params: { context: string } }>(
    '/api/v1/contexts/:context',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readContext',
        summary: 'Read a context',
        refuses: ['context_not_found'],
        params: ContextParams,
        response: { 200: Context }
      }
    },
    async (request) => {
      const { context } = request.params
      const path = pathOf(context, contexts)
      // In the words of the question: the path of an id is nothing to tell to who may not know of it.
      if (!tree.has(path) || !knowsContext(request, deps.library, path)) throw noContext(context)
      return presentContext(tree.facts(path), deps, visibleFlows(request, deps.library))
    }
  )
}

function changeContextRoute(app: FastifyInstance, deps: ContextRoutesDeps): void {
  const { tree, contexts } = deps
  app.patch<{ Params: { context: string }; Body: ContextChange }>(
    '/api/v1/contexts/:context',
    {
      config: { access: 'admin' },
      bodyLimit: CONTEXT_BODY,
      schema: {
        tags,
        operationId: 'changeContext',
        summary: 'Rename, move or set a context',
        refuses: ['context_not_found', 'context_exists', 'context_is_code', 'context_in_use'],
        params: ContextParams,
        body: ContextChange,
        response: { 200: Context }
      }
    },
    async (request) => {
      assertUnbound(request)
      const { id } = contexts.get(pathOf(request.params.context, contexts))
      const { name, parent, variables } = request.body
      const made = await contexts.change(id, {
        ...(name === undefined ? {} : { name }),
        ...(parent === undefined ? {} : { parent }),
        ...(variables === undefined ? {} : { variables: variables as Record<string, JsonValue> }),
        settings: (settings) => settingsOf(request.body, settings)
      })
      const flows = visibleFlows(request, deps.library)
      return shownTo(request, presentContext(tree.facts(made.path), deps, flows))
    }
  )
}

function deleteContextRoute(app: FastifyInstance, { contexts }: ContextRoutesDeps): void {
  app.delete<{ Params: { context: string } }>(
    '/api/v1/contexts/:context',
    {
      config: { access: 'admin' },
      schema: {
        tags,
        operationId: 'deleteContext',
        summary: 'Delete a context',
        refuses: ['context_not_found', 'context_in_use', 'context_is_code'],
        params: ContextParams,
        response: { 204: nothing('Deleted') }
      }
    },
    async (request, reply) => {
      assertUnbound(request)
      await contexts.remove(pathOf(request.params.context, contexts))
      return reply.code(204).send()
    }
  )
}

/** A context is named by its id or by its path, which is encoded in the address: `%2Fsales%2Feu`. */
function pathOf(sent: string, contexts: ContextLibrary): string {
  return contexts.find(sent)?.path ?? (sent.startsWith('/') ? sent : `/${sent}`)
}

/** Whoever may change contexts and not read them learns which one it was, and nothing of what is in it. */
function shownTo(request: FastifyRequest, context: ReturnType<typeof presentContext>) {
  if (mayRead(request)) return context
  const { path, name, parent, kind, id, owner } = context
  return { path, name, parent, kind, id, owner, source: null, registers: [], sees: [], flows: [] }
}
