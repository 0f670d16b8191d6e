import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { ConnectionLibrary } from '../../connections/connection-library.ts'
import { seenFrom } from '../../connections/seen-connections.ts'
import { count } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { MOST_SLUGS_TRIED, slugsFor } from '../../flows/slug.ts'
import type { Imported, ImportedFlow } from '../../import/imported-flow.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { slugTaken } from '../../library/flow-refusals.ts'
import { importFlows } from '../../library/import-flows.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { Pins } from '../../runs/steps/pins.ts'
import { actorOf } from '../access/access.ts'
import { type AskedContextDeps, askedContext } from '../contexts/asked-context.ts'
import { assertMayCreate, makerOf } from '../flows/flow-access.ts'
import { IMPORT_BODY } from '../requests/body-limits.ts'
import { readAsBytes } from '../webhook/webhook-body.ts'
import { addressIn, fetchFile, type Outside } from './fetch-file.ts'
import { keepPins } from './keep-pins.ts'
import { type SentFile, unknownFormat } from './read-file.ts'

const Query = Type.Object({
  context: Type.Optional(
    Type.String({ description: 'Where the flows are to live; the root where it is left out' })
  ),
  dry_run: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Tells what would come of it, and saves nothing' })
  )
})

const Verdict = Type.Enum(['exact', 'adapted', 'placeholder'], {
  description:
    '`adapted`: the note says what differs. `placeholder`: a node that stands there until somebody replaces it'
})

export const Report = Type.Object({
  format: Type.Enum(['langflow', 'n8n', 'node-red', 'flowise', 'millrace']),
  left_out: Type.Array(Type.String(), { description: 'What stood in a file and was not read' }),
  flows: Type.Array(
    Type.Object({
      id: Nullable(Type.String({ description: 'Null where nothing was saved' })),
      slug: Type.String(),
      name: Type.String(),
      nodes: Type.Array(
        Type.Object({
          node: Type.String({ description: 'Its id in the flow' }),
          title: Type.String(),
          was: Type.String(),
          became: Type.String({ description: 'The type of the node' }),
          verdict: Verdict,
          note: Type.String()
        })
      ),
      wires: Type.Object({ kept: count(), lost: count() }),
      pinned: count({ description: 'Nodes with what was pinned there: tests of the draft take it' }),
      connections: Type.Array(Type.String(), {
        description: 'Those that the flow names and that are not there'
      }),
      needs: Type.Array(
        Type.Object({
          name: Type.String(),
          kind: Type.String(),
          preset: Nullable(Type.String({ description: 'The known service that it is of' }))
        }),
        { description: 'The same, with what they are' }
      )
    })
  )
})

const FileSent = Type.String({
  description:
    'A file of Langflow, n8n, Node-RED, Flowise or Millrace, or a ZIP archive of them; or `{"url": "https://…"}`, where it lies'
})

/** What files hold, with what of them was not read. */
type Sent = Imported & { readonly leftOut: readonly string[] }

interface ImportDeps extends AskedContextDeps {
  readonly library: FlowLibrary
  readonly connections: ConnectionLibrary
  readonly egress: Outside
  readonly pins: Pick<Pins, 'put'>
}

/** Flows of other tools, and our own, become drafts. */
export function importRoutes(app: FastifyInstance, deps: ImportDeps): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // Told by what it is, and not by what it is said to be.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
    importRoute(scope, deps)
  })
}

type ImportRequest = FastifyRequest<{ Querystring: Static<typeof Query>; Body: Buffer | null | undefined }>

function importRoute(app: FastifyInstance, deps: ImportDeps): void {
  app.post<{ Querystring: Static<typeof Query>; Body: Buffer | null | undefined }>(
    '/api/v1/import',
    {
      config: {
        access: 'write',
        takes: { body: FileSent, types: ['application/json', 'application/zip', '*/*'] }
      },
      bodyLimit: IMPORT_BODY,
      onRequest: (request, _reply, done) => {
        readAsBytes(request)
        done()
      },
      schema: {
        tags: ['Flows'],
        operationId: 'importFlows',
        summary: 'Import flows of other tools',
        refuses: [
          'unknown_format',
          'import_broken',
          'import_unreachable',
          'context_not_found',
          'flow_invalid',
          'slug_taken'
        ],
        description:
          'Each flow becomes a draft, all of them or none, and the answer says of every node what became of it. Nothing of a file is executed.',
        querystring: Query,
        response: { 200: Report, 201: Report }
      }
    },
    async (request, reply) => {
      const context = askedContext(request, deps)
      assertMayCreate(actorOf(request), context)
      const bytes = await bytesOf(request, deps)
      if (request.query.dry_run === 'true') return reportOf(await readSent(bytes, deps), context, deps)
      const { imported, flows } = await saveSent(request, { bytes, context }, deps)
      return reply.code(201).send(reportOf(imported, context, deps, flows))
    }
  )
}

/** The file that was sent, or that lies where the body says. */
async function bytesOf(request: ImportRequest, { egress }: ImportDeps): Promise<Uint8Array> {
  const bytes = request.body ?? new Uint8Array()
  if (bytes.byteLength === 0) throw unknownFormat('The body is empty.')
  const address = addressIn(bytes)
  return address === undefined ? bytes : fetchFile(address, egress)
}

/** Where others take a slug in the same moment, the file is read again with other slugs. */
async function saveSent(
  request: ImportRequest,
  { bytes, context }: { readonly bytes: Uint8Array; readonly context: string },
  deps: ImportDeps
): Promise<{ imported: Sent; flows: readonly LiveFlow[] }> {
  const { library } = deps
  const taken: string[] = []
  for (;;) {
    const imported = await readSent(bytes, deps, taken)
    const flows = await importFlows(imported.flows, library, { ...makerOf(request, library), context })
    if (flows !== undefined) {
      const author = actorOf(request).name
      for (const [at, flow] of flows.entries())
        await keepPins(imported.flows[at]!, flow, { pins: deps.pins, author })
      return { imported, flows }
    }
    taken.push(...imported.flows.map(({ slug }) => slug))
    if (taken.length > MOST_SLUGS_TRIED * imported.flows.length) throw slugTaken(taken[0]!)
  }
}

async function readSent(bytes: Uint8Array, deps: ImportDeps, taken: readonly string[] = []): Promise<Sent> {
  const { library } = deps
  // Few import anything, and the readers take a while to load.
  const [{ isArchive, unpack }, { readFiles }] = await Promise.all([
    import('./unpack.ts'),
    import('./read-files.ts')
  ])
  const files: SentFile[] = isArchive(bytes)
    ? await unpack(bytes)
    : [{ name: '', text: new TextDecoder().decode(bytes) }]
  const lost = new Set(taken)
  const help = { slugFor: slugsFor((slug) => lost.has(slug) || library.find(slug) !== undefined) }
  return library.inTurns(readFiles(files, help))
}

function reportOf(
  { format, flows, leftOut }: Sent,
  context: string,
  { connections }: ImportDeps,
  saved: readonly LiveFlow[] = []
): Static<typeof Report> {
  const seen = new Set(seenFrom(context, connections.list()).map(({ connection }) => connection.name))
  return {
    format: format as Static<typeof Report>['format'],
    left_out: [...leftOut],
    flows: flows.map((flow, at) => flowReport(flow, saved[at], seen))
  }
}

function flowReport(
  { slug, name, nodes, wires, pinned, connections }: ImportedFlow,
  saved: LiveFlow | undefined,
  seen: ReadonlySet<string>
): Static<typeof Report>['flows'][number] {
  const missing = connections.filter((connection) => !seen.has(connection.name))
  return {
    id: saved?.id ?? null,
    slug: saved?.slug ?? slug,
    name,
    nodes: nodes.map(({ node, title, was, became, verdict, note }) => ({
      node,
      title,
      was,
      became,
      verdict,
      note
    })),
    wires,
    pinned: Object.keys(pinned).length,
    connections: missing.map((connection) => connection.name),
    needs: missing.map(({ name: needed, kind, preset }) => ({ name: needed, kind, preset: preset ?? null }))
  }
}
