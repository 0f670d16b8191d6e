import type { TestScope } from '../engine/plan-test.ts'
import { MillraceError } from '../errors.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { linksOf, wiresOf } from '../flows/graph/graph.ts'
import { neighboursOf, walk } from '../flows/graph/taken-nodes.ts'
import { type JsonValue, writeJson } from '../flows/json/exact-json.ts'
import { isLongValue } from '../flows/json/long-value.ts'
import type { KnownCall } from '../flows/step/step-calls.ts'
import type { RunStore, StoredRun } from '../store/store.ts'
import { callsBefore } from './present/agent-calls.ts'
import { runStartOf } from './record/run-start.ts'
import { decodeSteps } from './record/step-codec.ts'
import { loadLong } from './steps/long-values.ts'

/** From which call of which agent a run is to go on; the result is what the call is taken to have given. */
export interface ReplayedCall {
  readonly node: string
  readonly call: number
  readonly result?: JsonValue
}

interface ReplayDeps {
  readonly store: Pick<RunStore, 'children' | 'readPiece' | 'testScope'>
}

/** In bytes: the new run keeps a copy of it. */
const MOST_KEPT = 4 * 1024 * 1024

/**
 * What a run goes on with that begins behind a call of an agent. The agent knows what it asked up to the end of that turn, with the
 * edited result; nodes that do not follow it give what they gave. So nothing acts but its further calls and what comes after it.
 */
export async function scopeFromCall(
  run: StoredRun,
  document: FlowDocument,
  { node, call, result }: ReplayedCall,
  { store }: ReplayDeps
): Promise<TestScope> {
  const isAgent = document.nodes.some(({ id, type }) => id === node && type === 'agent')
  if (!isAgent) throw notFound(run, `has no agent "${node}"`)
  const known = await callsBefore(run, node, { before: call + 1, most: MOST_KEPT }, store)
  if (known === undefined) throw tooLarge()
  const turn = turnBefore(known, call)
  if (turn === undefined) throw notFound(run, `has no call ${call} of a tool by "${node}"`)
  const upTo = turn.index + turn.calls
  const all =
    upTo === call ? known : await callsBefore(run, node, { before: upTo + 1, most: MOST_KEPT }, store)
  if (all === undefined) throw tooLarge()
  return {
    upTo: null,
    pins: await outputsOfOthers(run, document, node, store),
    replayed: { node, known: result === undefined ? all : withResult(all, call, result) }
  }
}

/** The question whose answer holds the call. */
function turnBefore(
  known: readonly KnownCall[],
  call: number
): { readonly index: number; readonly calls: number } | undefined {
  for (let index = 0; ; ) {
    const asked = known.find((each) => each.index === index)
    const calls = (asked?.outputs as { readonly calls?: readonly unknown[] } | undefined)?.calls?.length
    if (calls === undefined || call <= index) return undefined
    if (call <= index + calls) return { index, calls }
    index += 1 + calls
  }
}

function withResult(known: readonly KnownCall[], index: number, result: JsonValue): readonly KnownCall[] {
  const before = known.find((call) => call.index === index)
  const edited: KnownCall = {
    index,
    runId: before?.runId ?? '',
    status: 'succeeded',
    error: null,
    endedAt: before?.endedAt ?? 0,
    outputs: { result },
    durationMs: before?.durationMs ?? null
  }
  return [...known.filter((call) => call.index !== index), edited].sort((a, b) => a.index - b.index)
}

/** Of all nodes that neither follow the agent nor are its tools: one that gave nothing is silent. */
async function outputsOfOthers(
  run: StoredRun,
  document: FlowDocument,
  agent: string,
  { readPiece }: Pick<RunStore, 'readPiece'>
): Promise<TestScope['pins']> {
  const wires = wiresOf(document)
  const after = walk([agent], neighboursOf(linksOf(document.edges), 'fromNode', 'toNode'))
  const tools = new Set(
    wires
      .filter(({ toNode, toPort }) => toNode === agent && toPort === 'tools')
      .map(({ fromNode }) => fromNode)
  )
  const steps = new Map(
    decodeSteps(run.outcome?.steps ?? '[]', runStartOf(run)).map((step) => [step.node, step])
  )
  const pins: Record<string, Record<string, JsonValue>> = {}
  let bytes = 0
  for (const { id, parent } of document.nodes) {
    if (after.has(id) || tools.has(id) || parent !== undefined) continue
    const gave: Record<string, JsonValue> = {}
    for (const [name, value] of Object.entries(steps.get(id)?.outputs ?? {})) {
      gave[name] = (
        isLongValue(value) ? await loadLong(value, (...place) => readPiece(...place)) : value
      ) as JsonValue
      bytes += writeJson(gave[name]).length
      if (bytes > MOST_KEPT) throw tooLarge()
    }
    pins[id] = gave
  }
  return pins
}

function notFound({ id }: StoredRun, what: string): MillraceError {
  return new MillraceError(
    'call_not_found',
    `Run ${id} ${what}. Its conversation lists those that there are.`
  )
}

function tooLarge(): MillraceError {
  return new MillraceError(
    'replay_too_large',
    `What the run has done up to there has more than ${MOST_KEPT / 1024 / 1024} MB, and a replay keeps a copy of it. Replay the whole run.`
  )
}
