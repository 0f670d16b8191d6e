import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import { nodesRead } from '../../flows/component/node-references.ts'
import type { Wire } from '../../flows/graph/graph.ts'
import { amount } from '../../flows/json/bounded-numbers.ts'
import { Nullable } from '../../flows/json/common-schemas.ts'
import { isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { may } from '../../keys/rights.ts'
import type { Drafts } from '../../library/drafts.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { lastGiven } from '../../runs/last-given.ts'
import { lastInputs } from '../../runs/last-inputs.ts'
import { lastOutputs } from '../../runs/last-outputs.ts'
import { StepLogs } from '../../runs/present/run-shape.ts'
import type { Runs } from '../../runs/runs.ts'
import type { PinnedOutputs, Pins } from '../../runs/steps/pins.ts'
import type { RunStore } from '../../store/store.ts'
import { actorOf, forbidden, mayRead, visibleFlow } from '../access/access.ts'
import { type FileAccessDeps, filesGivenBy } from '../files/file-access.ts'
import { withExactJson } from '../requests/exact-body.ts'
import { toBytes } from '../runs/run-input.ts'
import { notShown, PathText } from '../schemas.ts'
import { sendJson } from '../send-json.ts'
import { drawnWires, type Edited, insideRegion, nodeIds, nodesBefore } from './edited-node.ts'
import { assertMayPut } from './flow-access.ts'
import { nodeAlone } from './node-alone.ts'
import { whileItWaits } from './while-it-waits.ts'

interface RunNodeDeps extends FileAccessDeps {
  readonly library: FlowLibrary
  readonly drafts: Drafts
  readonly pins: Pins
  readonly runs: Runs
  readonly runStore: Pick<RunStore, 'latestWithOutput' | 'readPiece' | 'children' | 'get'>
  readonly payloadLimit: number
}

const Asked = Type.Object(
  {
    inputs: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'By input; those that are pinned, or of the last run, where this is left out'
      })
    ),
    fields: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'By field; as saved where this is left out' })
    )
  },
  { additionalProperties: false }
)

interface Asked {
  readonly inputs?: Record<string, JsonValue>
  readonly fields?: Record<string, JsonValue>
}

const Tried = Type.Object({
  status: Type.Enum(['succeeded', 'failed', 'waiting', 'skipped', 'cancelled'], {
    description: 'waiting: alone it would have to wait, for a time, a call or an answer'
  }),
  outputs: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
  duration_ms: amount(),
  logs: Type.Optional(StepLogs)
})

/** Trying one node of the draft out, by itself. */
export function runNodeRoute(app: FastifyInstance, deps: RunNodeDeps): void {
  const { library, runs, payloadLimit } = deps
  withExactJson(app, (scope) => {
    scope.post<{ Params: { id: string; node: string }; Body: Asked | undefined }>(
      '/api/v1/flows/:id/nodes/:node/run',
      {
        config: { access: 'write', takes: { body: Nullable(Asked), isOptional: true } },
        bodyLimit: payloadLimit,
        schema: {
          tags: ['Drafts'],
          operationId: 'runNode',
          summary: 'Run one node by itself and wait for its end',
          refuses: ['flow_not_found', 'node_not_found', 'flow_invalid'],
          description:
            'Of the draft, or of what is live where there is none. It is tried once, as it is now: nothing of it is stored, and no other node runs. Inputs that are left out are those that are pinned before it, else those of the last run. Needs the rights write and trigger.',
          params: Type.Object({ id: PathText, node: PathText }),
          response: { 200: Tried, 204: notShown() }
        }
      },
      async (request, reply) => {
        const flow = visibleFlow(request, library, request.params.id)
        const trial = await trialOf(request, flow, deps)
        const step = await runs.tryNode(trial, whileItWaits(reply))
        if (!mayRead(request)) return reply.code(204).send()
        const { status, outputs, error, durationMs, logs } = step
        const tried = { status, outputs, error, duration_ms: durationMs ?? 0, ...(logs && { logs }) }
        return sendJson(reply, tried, runs.readPiece)
      }
    )
  })
}

async function trialOf(
  request: FastifyRequest<{ Params: { node: string }; Body: Asked | undefined }>,
  flow: LiveFlow,
  deps: RunNodeDeps
): Promise<Parameters<Runs['tryNode']>[0]> {
  const actor = actorOf(request)
  for (const right of ['write', 'trigger'] as const) if (!may(actor, right)) throw forbidden(actor, right)
  const { library, drafts, runStore } = deps
  const asked = readAsked(request.body)
  const draft = await drafts.find(flow)
  const edited = draft?.document ?? flow.document
  assertMayPut(actor, flow, edited.context)
  const named = { id: request.params.node, fields: asked.fields }
  const { document, node } = await nodeAlone(request, library, edited, flow, named)
  const pinned = await pinnedAround(flow, edited, node.id, deps)
  const wires = drawnWires(edited).filter((wire) => wire?.toNode === node.id) as Wire[]
  const last = await lastInputs(flow.id, node.id, { wires, pins: pinned }, runStore)
  const { input = 'null', request: facts = null, session = 'default' } = last.run ?? {}
  const inputs = asked.inputs ?? last.inputs
  const component = library.surroundings.catalogue.find(document.context, node.type)
  const before = nodesBefore(edited, node.id)
  const readNodes = component === undefined ? [] : nodesRead(component, node.fields, before)
  const read = await lastOutputs(flow.id, readNodes, { pins: pinned, run: last.run }, runStore)
  const { uses = [] } = await filesGivenBy(actor, toBytes(inputs as JsonValue), deps)
  return {
    flow: { id: flow.id, version: draft?.baseVersion ?? flow.version },
    document,
    node,
    inputs,
    read,
    started: { input, request: facts, session },
    files: uses
  }
}

/** What is pinned, by node; of the region that the node stands in what it gives to its inside. */
async function pinnedAround(
  flow: LiveFlow,
  edited: Edited,
  id: string,
  { pins, runStore }: Pick<RunNodeDeps, 'pins' | 'runStore'>
): Promise<Map<string, PinnedOutputs>> {
  const pinned = new Map((await pins.ofNodes(flow, nodeIds(edited))).map((pin) => [pin.node, pin.outputs]))
  const place = insideRegion(edited, id)
  if (place === undefined) return pinned
  pinned.delete(place.region)
  const given = await lastGiven(flow.id, place, runStore)
  return given === undefined ? pinned : pinned.set(place.region, given)
}

function readAsked(body: unknown): Asked {
  if (body === undefined || body === null) return {}
  const isAsked =
    isPlainObject(body) &&
    Object.entries(body).every(([name, value]) => ['inputs', 'fields'].includes(name) && isPlainObject(value))
  if (isAsked) return body as Asked
  throw new MillraceError(
    'invalid_request',
    'Send {"inputs": {…}, "fields": {…}}: an object with a value for each input, and one with a value for each field. Both may be left out.'
  )
}
