import { CALL_TRIGGER, isInside, itemResult, resultOfRun } from '../../runs/children/run-result.ts'
import { decodeSteps } from '../../runs/record/step-codec.ts'
import {
  type Agent,
  allSegments,
  type FlowSpec,
  isCalledInPlace,
  isRegion,
  type Segment
} from '../life/flow-spec.ts'
import type { History } from '../life/history.ts'
import type { World } from '../world/world.ts'
import { type ChildEnd, type Expected, interpret } from './interpret.ts'
import type { RunRecord } from './records.ts'

/** Failures of a Run flow that come of what was done to the flow that it is to run. */
const NOT_REACHED = new Set(['flow_not_found', 'flow_paused'])

/** Waits that all were asked about may have gone in more ways than anybody wants to read. */
const MOST_READINGS = 3_000

/** Whether every run did what its flow says, and ended as that says. */
export function judgeResults(world: World, history: History): void {
  const records = world.records.all()
  const endsOf = endsByStarter(records)
  for (const run of records) {
    const spec = world.specOf(run)
    if (spec === undefined || run.status === null) continue
    if (run.status === 'cancelled') judgeCancelled(run, records, world, history)
    else judgeRun(run, spec, endsOf, world, history)
  }
}

function judgeRun(run: RunRecord, spec: FlowSpec, endsOf: EndsOf, world: World, history: History): void {
  const segments = ownSegments(run, spec)
  if (segments === undefined) return
  const actual = actualOf(run, world)
  const error = run.error === null ? null : (JSON.parse(run.error) as RunError)
  if (error !== null && isNotReached(error, segments, history)) return
  const wasRetried = wasReopened(run, world, history)
  const isGone = history.gone.has(run.flowId) || history.gone.has(world.contextOf(spec.context))
  if (isGone && wasRetried) return
  const input = beginsWith(run) ?? 0
  const outside = (node: string) => valueAbove(run, node, world)
  // A further attempt of a step lets what it has started go on.
  const mayHaveGoneOn = wasRetried || run.parentSeq !== null
  const readings: Expected[] = []
  for (const reading of readingsOf(run, segments, history, (way) => {
    const childrenOf = (node: string) => endsOf(run, node)
    return interpret(segments, input, { wayOf: way, childrenOf, outside, mayHaveGoneOn })
  })) {
    // Then nobody can tell.
    if (agrees(reading, actual, run, history) || readings.push(reading) > MOST_READINGS) return
  }
  const [, kind] = /^Node "f\d+-(\w+)-/.exec(error?.message ?? '') ?? []
  world.fail(
    error?.code === 'store_unwritable'
      ? `a store that refuses fails no run: ${kind}`
      : 'results are those of a plain reading',
    `Run ${run.id} of ${spec.slug} (${run.trigger}) ${run.status}${error === null ? '' : ` (${error.code}: ${error.message.slice(0, 120)})`} with ${JSON.stringify(actual)}; read plainly: ${JSON.stringify(readings.slice(0, 3))}.`
  )
}

/** By itself, or with the one that it belongs to: that opens what it had started again, whatever has become of its flow. */
function wasReopened(run: RunRecord, world: World, history: History): boolean {
  for (let above: RunRecord | undefined = run; above !== undefined; ) {
    if (history.reopened.has(above.id)) return true
    above = above.parentSeq === null ? undefined : world.records.bySeq(above.parentSeq)
  }
  return false
}

interface RunError {
  readonly code: string
  readonly message: string
}

function isNotReached(error: RunError, segments: readonly Segment[], { unreachable }: History): boolean {
  if (!NOT_REACHED.has(error.code)) return false
  const [, node] = /^Node "([^"]+)"/.exec(error.message) ?? []
  const inside = [...allSegments(segments)]
  const at = inside.find(({ id }) => id === node)
  if (at?.kind === 'call') return unreachable.has(at.flow)
  // An item of it may have failed with that, and tells so.
  return at?.kind === 'each' && inside.some((one) => one.kind === 'call' && unreachable.has(one.flow))
}

interface Actual {
  readonly effects: readonly string[]
  readonly value: number | null
}

function agrees(expected: Expected, actual: Actual, run: RunRecord, { itemsAgain }: History): boolean {
  if (expected.status !== run.status) return false
  const wanted = [...new Set(expected.effects)].sort()
  if (itemsAgain.has(run.id))
    return expected.value === actual.value && includesAll(actual.effects, wanted, run)
  if (run.status === 'failed') return actual.effects.every((effect) => wanted.includes(effect))
  return expected.value === actual.value && wanted.join() === [...actual.effects].sort().join()
}

/** What followed its items was done with their earlier results, too. */
function includesAll(done: readonly string[], wanted: readonly string[], { status }: RunRecord): boolean {
  return status !== 'succeeded' || wanted.every((effect) => done.includes(effect))
}

function actualOf(run: RunRecord, world: World): Actual {
  const effects = [...new Set(world.ledger.ofRun(run.id).map(({ label, value }) => `${label}(${value})`))]
  return { effects, value: run.status === 'succeeded' ? given(run) : null }
}

/** What the run gave back. */
function given(run: RunRecord): number | null {
  const steps = stepsOf(run)
  if (run.trigger === CALL_TRIGGER) return numberIn(Object.values(steps.at(-1)?.outputs ?? {})[0])
  return numberIn(isInside(run) ? itemResult(steps, run.node!) : resultOfRun(steps))
}

function stepsOf(run: RunRecord): ReturnType<typeof decodeSteps> {
  return decodeSteps(run.steps!, { input: JSON.parse(run.input), request: null })
}

function numberIn(value: unknown): number | null {
  return (value as { v?: number } | null | undefined)?.v ?? null
}

/** What started it may have brought no value. */
function beginsWith({ trigger, input }: RunRecord): number | null {
  if (['schedule', 'run-failed'].includes(trigger)) return 0
  const value = JSON.parse(input) as { readonly arguments?: unknown }
  return numberIn(trigger === CALL_TRIGGER ? value.arguments : value)
}

/** What a node gave in the run that this one is a part of. */
function valueAbove(run: RunRecord, node: string, world: World): number | undefined {
  const parent = isInside(run) ? world.records.bySeq(run.parentSeq!) : undefined
  if (parent === undefined || parent.steps === null) return undefined
  // A draft may have them the other way round: what comes later is not read, whenever it was done.
  const order = [...allSegments(world.specOf(run)?.segments ?? [])].map(({ id }) => id)
  const isEarlier = order.indexOf(node) < order.indexOf(run.node!)
  const step = isEarlier ? stepsOf(parent).find((one) => one.node === node) : undefined
  return numberIn(step?.outputs?.data) ?? valueAbove(parent, node, world)
}

type EndsOf = (run: RunRecord, node: string) => ReadonlyMap<number, ChildEnd>

const NO_CHILDREN: ReadonlyMap<number, ChildEnd> = new Map()

/** How children ended, by who started them: read once, however many ways lead through a run. */
function endsByStarter(records: readonly RunRecord[]): EndsOf {
  const ends = new Map<string, Map<number, ChildEnd>>()
  for (const child of records) {
    const { parentSeq, node, index, status } = child
    if (parentSeq === null || status === null) continue
    const starter = `${parentSeq} ${node}`
    const siblings = ends.get(starter) ?? new Map<number, ChildEnd>()
    const value = status === 'succeeded' ? given(child) : null
    ends.set(starter, siblings.set(index!, { status, value, given: beginsWith(child) }))
  }
  return ({ seq }, node) => ends.get(`${seq} ${node}`) ?? NO_CHILDREN
}

function ownSegments(run: RunRecord, { segments }: FlowSpec): readonly Segment[] | undefined {
  if (!isInside(run)) return segments
  const starter = [...allSegments(segments)].find(({ id }) => id === run.node)
  if (starter?.kind === 'agent') return calledSegments(run, starter)
  return starter !== undefined && isRegion(starter) ? starter.body : undefined
}

/** What is executed where the agent is, such as questions to its model, is judged with the agent. */
function calledSegments({ input, node }: RunRecord, { tools }: Agent): readonly Segment[] | undefined {
  const called = (JSON.parse(input) as { readonly node?: string }).node
  const tool = tools.find(({ does }) => does.id === called)
  if (tool === undefined || isCalledInPlace(tool)) return undefined
  const does: Segment = tool.does.kind === 'call' ? { ...tool.does, waits: true } : tool.does
  return tool.asksFirst ? [{ kind: 'consent', id: node! }, does] : [does]
}

type Way = string | null

/**
 * What the run may have done, by every way in which the waits that it came to may have gone, as far as callers know. Waits on
 * branches that it did not take are not asked about: there are too many ways through all of them.
 */
function* readingsOf(
  run: RunRecord,
  segments: readonly Segment[],
  history: History,
  read: (wayOf: (node: string) => Way) => Expected
): Generator<Expected> {
  const kinds = new Map([...allSegments(segments)].map(({ id, kind }) => [id, kind]))
  const isQuestion = (node: string) => kinds.get(node) === 'approve' || kinds.get(node) === 'consent'
  const left: (readonly Way[])[] = [[]]
  for (let known = left.pop(); known !== undefined; known = left.pop()) {
    const ways = [...known]
    let asked = 0
    yield read((node) => {
      if (asked === ways.length) {
        const [first, ...others] = choicesOf(run, node, isQuestion(node), history)
        for (const other of others) left.push([...ways, other])
        ways.push(first)
      }
      return ways[asked++] as Way
    })
  }
}

function choicesOf(run: RunRecord, node: string, isQuestion: boolean, history: History): [Way, ...Way[]] {
  if (isQuestion) return ['Approve', 'Reject', null]
  const known = history.wakes.get(`${run.id} ${node}`)
  const isCertain = known?.has('call') === true && !history.reopened.has(run.id) && !known.has('time')
  return isCertain && run.parentSeq === null ? ['call'] : ['call', null]
}

/** Somebody asked for it, or it was dropped with what it belongs to. */
function judgeCancelled(run: RunRecord, records: readonly RunRecord[], world: World, history: History): void {
  // A flow that goes for good while somebody brings it back may take along what it was sent in that moment.
  if (history.cancels.has(run.id) || history.wasPurged(run)) return
  const agent = run.trigger === CALL_TRIGGER ? records.find(({ seq }) => seq === run.parentSeq) : undefined
  if (agent?.status === 'succeeded')
    world.fail(
      'what was cancelled with an agent goes on with it',
      `Call ${run.index} of ${agent.id} was cancelled by nobody, and its model was told so.`
    )
  for (let below = run; below.parentSeq !== null; ) {
    const parent = records.find(({ seq }) => seq === below.parentSeq)
    // A parent that failed, or is deleted, drops what it waited for.
    if (parent === undefined || parent.status !== 'succeeded' || history.cancels.has(parent.id)) return
    if (history.reopened.has(parent.id)) return
    below = parent
  }
  world.fail(
    'only what is asked to be cancelled is',
    `Run ${run.id} of ${run.flowId} was cancelled by nobody.`
  )
}
