import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { Catalogue } from '../../flows/component/catalogue.ts'
import { resolveFields } from '../../flows/component/component.ts'
import { outputsOfNode } from '../../flows/component/component-ports.ts'
import type { FlowNode } from '../../flows/document/flow-document.ts'
import { Nullable, Time } from '../../flows/json/common-schemas.ts'
import { isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'
import { escapePointer } from '../../flows/json/json-pointer.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { Drafts } from '../../library/drafts.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { timeText } from '../../runs/present/time-text.ts'
import type { Runs } from '../../runs/runs.ts'
import type { EditedNode, Pin, PinnedOutputs, Pins } from '../../runs/steps/pins.ts'
import { actorOf, mayRead, visibleFlow } from '../access/access.ts'
import { PIN_BODY } from '../requests/body-limits.ts'
import { withExactJson } from '../requests/exact-body.ts'
import { IdParams, nothing, notShown, PathText } from '../schemas.ts'
import { sendJson } from '../send-json.ts'
import { type Edited, nodeIds, nodeOf } from './edited-node.ts'
import { assertMayPut } from './flow-access.ts'

interface PinRoutesDeps {
  readonly library: FlowLibrary
  readonly drafts: Drafts
  readonly pins: Pins
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly runs: Pick<Runs, 'readPiece'>
}

const tags = ['Drafts']

const Outputs = Type.Record(Type.String(), Type.Unknown(), {
  description: 'By output; one that is left out is silent'
})

const Sent = Type.Object({ outputs: Outputs }, { additionalProperties: false })

const PinAnswer = Type.Object({
  node: Type.String(),
  outputs: Outputs,
  stale: Type.Boolean({
    description: 'The settings of the node have changed since: it might put out something else now'
  }),
  made_of: Type.String({ description: 'Tells the settings that the node had from others' }),
  author: Nullable(Type.String({ description: 'The name of the key that pinned it' })),
  updated_at: Time
})

const NodeParams = Type.Object({ id: PathText, node: PathText })

type NodeRequest = FastifyRequest<{ Params: { id: string; node: string } }>

/** Pins: what stands for the outputs of nodes in tests. */
export function pinRoutes(app: FastifyInstance, deps: PinRoutesDeps): void {
  const { library, drafts, pins, runs } = deps

  async function editedOf(request: FastifyRequest<{ Params: { id: string } }>) {
    const flow = visibleFlow(request, library, request.params.id)
    const draft = await drafts.find(flow)
    const document: Edited = draft?.document ?? flow.document
    return { flow, document }
  }

  async function nodeToPin(request: NodeRequest): Promise<EditedNode> {
    const { flow, document } = await editedOf(request)
    assertMayPut(actorOf(request), flow, document.context)
    const node = asNode(nodeOf(document, request.params.node, flow))
    return { flow, context: document.context, node, ids: nodeIds(document) }
  }

  app.get<{ Params: { id: string } }>(
    '/api/v1/flows/:id/pins',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'listPins',
        summary: 'List what is pinned in a flow',
        refuses: ['flow_not_found'],
        description:
          'Of the nodes that the draft has, or what is live where there is none. Tests of the draft take these outputs and do not run the nodes; no other run does.',
        params: IdParams,
        response: { 200: Type.Object({ pins: Type.Array(PinAnswer) }) }
      }
    },
    async (request, reply) => {
      const { flow, document } = await editedOf(request)
      const found = await pins.ofNodes(flow, nodeIds(document))
      const presented: ReturnType<typeof presentPin>[] = []
      for (const pin of found) {
        const digest = await pins.digestOf(asNode(nodeOf(document, pin.node, flow)))
        presented.push(presentPin(pin, digest))
      }
      return sendJson(reply, { pins: presented }, runs.readPiece)
    }
  )

  withExactJson(app, (scope) => {
    scope.put<{ Params: { id: string; node: string }; Body: unknown }>(
      '/api/v1/flows/:id/pins/:node',
      {
        config: { access: 'write', takes: { body: Sent } },
        bodyLimit: PIN_BODY,
        schema: {
          tags,
          operationId: 'pinNode',
          summary: 'Pin the outputs of a node',
          refuses: ['flow_not_found', 'node_not_found', 'pin_too_large'],
          description:
            'Tests of the draft, and nodes that are run by themselves, take them and do not run the node. They are not part of the draft and stay when it is published. At most 256 kB.',
          params: NodeParams,
          response: { 200: PinAnswer, 204: notShown() }
        }
      },
      async (request, reply) => {
        const edited = await nodeToPin(request)
        const outputs = readOutputs(request.body)
        assertOutputs(edited, outputs, { ...deps, isTold: mayRead(request) })
        const pin = await pins.put(edited, outputs, actorOf(request).name)
        if (!mayRead(request)) return reply.code(204).send()
        return sendJson(reply, presentPin(pin, pin.madeOf), runs.readPiece)
      }
    )
  })

  app.delete<{ Params: { id: string; node: string } }>(
    '/api/v1/flows/:id/pins/:node',
    {
      config: { access: 'write' },
      schema: {
        tags,
        operationId: 'unpinNode',
        summary: 'Unpin a node',
        refuses: ['flow_not_found'],
        params: NodeParams,
        response: { 204: nothing('Unpinned, also where nothing was pinned') }
      }
    },
    async (request, reply) => {
      const { flow, document } = await editedOf(request)
      assertMayPut(actorOf(request), flow, document.context)
      await pins.remove(flow, request.params.node)
      return reply.code(204).send()
    }
  )
}

/** `now`: the digest of the node as it is edited. */
function presentPin({ node, outputs, madeOf, author, updatedAt }: Pin, now: string) {
  return {
    node,
    outputs,
    stale: now !== madeOf,
    made_of: madeOf,
    author,
    updated_at: timeText(updatedAt)
  }
}

/** A draft may hold anything for the type of a node. */
function asNode(node: object): EditedNode['node'] {
  const { id, type, fields, on_error } = node as Partial<FlowNode>
  return { id: String(id), type: String(type), fields: fields ?? {}, ...(on_error && { on_error }) }
}

function readOutputs(body: unknown): PinnedOutputs {
  const isSent = isPlainObject(body) && Object.keys(body).length === 1 && isPlainObject(body.outputs)
  if (isSent) return body.outputs as PinnedOutputs
  throw new MillraceError(
    'invalid_request',
    'Send {"outputs": {…}}: an object with a value for each output that is to have one.'
  )
}

/** A name that no output has would be an output that stays silent, and nobody would know why. */
function assertOutputs(
  { context, node }: EditedNode,
  outputs: PinnedOutputs,
  { catalogue, isTold }: { readonly catalogue: Pick<Catalogue, 'find'>; readonly isTold: boolean }
): void {
  const known = outputsOf(context, node, catalogue)
  const unknown = Object.keys(outputs).find((name) => known?.includes(name) === false)
  if (known === undefined || unknown === undefined) return
  const named = isTold ? ` It has ${known.length === 0 ? 'none' : known.join(', ')}.` : ''
  const message = `Node "${node.id}" has no output "${unknown}".${named}`
  throw new MillraceError('invalid_request', message, {
    errors: [{ code: 'unknown_output', path: `/outputs/${escapePointer(unknown)}`, message }]
  })
}

/** Undefined where nobody can tell: the component is gone, or the fields are half done. */
function outputsOf(
  context: unknown,
  node: EditedNode['node'],
  catalogue: Pick<Catalogue, 'find'>
): string[] | undefined {
  const component = typeof context === 'string' ? catalogue.find(context, node.type) : undefined
  if (component === undefined) return undefined
  try {
    const resolved = resolveFields(component, node.fields as Record<string, JsonValue>)
    return Object.keys(outputsOfNode(component, resolved, node))
  } catch {
    return undefined
  }
}
