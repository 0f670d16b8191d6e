import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { ConnectionLibrary } from '../../connections/connection-library.ts'
import { isWithin } from '../../contexts/context-path.ts'
import { slugInFolder } from '../../flow-files/placed.ts'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import { withoutSecrets } from '../../flows/component/without-secrets.ts'
import type { FlowDocument } from '../../flows/document/flow-document.ts'
import type { Turns } from '../../flows/in-turns.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { may } from '../../keys/rights.ts'
import type { ContextLibrary } from '../../library/context-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { UNSET_ROOT } from '../../library/root-context.ts'
import { actorOf, knowsContext, visibleFlows } from '../access/access.ts'
import { administers } from '../connections/administered.ts'
import { type AskedContextDeps, askedContext } from '../contexts/asked-context.ts'
import { sendJson } from '../send-json.ts'
import { PullAnswer } from './push-schemas.ts'

const Query = Type.Object({
  context: Type.Optional(
    Type.String({ description: 'Only what lives in it or below it; the root where it is left out' })
  ),
  prefix: Type.Optional(Type.String({ maxLength: 60, description: 'Only flows whose slugs begin with it' }))
})

interface PullDeps extends AskedContextDeps {
  readonly contexts: ContextLibrary
  readonly connections: ConnectionLibrary
  readonly catalogue: Pick<Catalogue, 'find'>
}

/** All that a folder of files holds: what a push takes. */
export function pullRoute(app: FastifyInstance, deps: PullDeps): void {
  const { contexts, connections, catalogue, library, tree } = deps
  app.get<{ Querystring: Static<typeof Query> }>(
    '/api/v1/pull',
    {
      config: { access: 'read' },
      schema: {
        tags: ['Flows'],
        operationId: 'pullFlows',
        summary: 'Read many flows at once',
        refuses: ['context_not_found'],
        description:
          'The live flows with the contexts and connections around them, without secrets: what a push takes again. Connections are told to keys with the right admin.',
        querystring: Query,
        response: { 200: PullAnswer }
      }
    },
    async (request, reply) => {
      const top = askedContext(request, deps)
      const { prefix = '' } = request.query
      const actor = actorOf(request)
      const flows = visibleFlows(request, library).filter(
        ({ context, slug }) => isWithin(context, top) && slugInFolder(slug, { prefix }) !== undefined
      )
      const mine = connections
        .list()
        .filter(({ context }) => isWithin(context, top) && administers(actor, context))
      const made = tree.paths().flatMap((path) => {
        const context =
          isWithin(path, top) && knowsContext(request, library, path) ? contexts.find(path) : undefined
        // A root that nobody set has no file.
        return context === undefined || context === UNSET_ROOT ? [] : context
      })
      const answer = {
        flows: await library.inTurns(shared(flows, catalogue)),
        connections: may(actor, 'admin') && administers(actor, top) ? mine.map(presentConnection) : null,
        contexts: made.map(({ path, variables, settings: { default_auth = null, ...limits } }) => {
          return { path, variables, default_auth, limits }
        })
      }
      return sendJson(reply, answer, nothingStored)
    }
  )
}

/** A service has thousands of flows, and each has hundreds of nodes. */
function* shared(flows: readonly LiveFlow[], catalogue: Pick<Catalogue, 'find'>): Turns<FlowDocument[]> {
  const documents: FlowDocument[] = []
  for (const { document } of flows) {
    yield
    documents.push(withoutSecrets(document, catalogue))
  }
  return documents
}

function presentConnection({ name, kind, context, settings }: ReturnType<ConnectionLibrary['get']>) {
  return { name, kind, context, settings }
}

function nothingStored(): never {
  throw new Error('no document of a flow is stored in pieces')
}
