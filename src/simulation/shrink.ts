import {
  type Act,
  type Agent,
  allSegments,
  type Each,
  type FlowSpec,
  type Repeat,
  type Segment
} from './life/flow-spec.ts'
import type { Scenario } from './life/scenario.ts'

/** Whether the scenario still shows the fault. */
type Shows = (scenario: Scenario) => Promise<boolean>

/** Takes away what the fault does not need, until nothing more can go: what is left is what to look at. */
export async function shrink(scenario: Scenario, shows: Shows): Promise<Scenario> {
  let smallest = scenario
  for (let size = Number.POSITIVE_INFINITY; sizeOf(smallest) < size; ) {
    size = sizeOf(smallest)
    smallest = await withFewerEvents(smallest, shows)
    smallest = await withSmallerFlows(smallest, shows)
    smallest = await withPlainerWorld(smallest, shows)
  }
  return smallest
}

function sizeOf(scenario: Scenario): number {
  return JSON.stringify(scenario).length
}

/** Delta debugging: halves first, then ever smaller parts. */
async function withFewerEvents(scenario: Scenario, shows: Shows): Promise<Scenario> {
  let smallest = scenario
  for (
    let part = Math.ceil(smallest.events.length / 2);
    part >= 1;
    part = part === 1 ? 0 : Math.ceil(part / 2)
  ) {
    for (let from = 0; from < smallest.events.length; ) {
      const fewer = { ...smallest, events: smallest.events.toSpliced(from, part) }
      if (await shows(fewer)) smallest = fewer
      else from += part
    }
  }
  return smallest
}

async function withSmallerFlows(scenario: Scenario, shows: Shows): Promise<Scenario> {
  let smallest = scenario
  for (const index of scenario.flows.keys()) {
    for (let isSmaller = true; isSmaller; ) {
      isSmaller = false
      for (const flow of smallerFlows(smallest.flows[index]!)) {
        if (!readsWhatIsThere(flow)) continue
        const smaller = { ...smallest, flows: smallest.flows.with(index, flow) }
        if (!(await shows(smaller))) continue
        smallest = smaller
        isSmaller = true
        break
      }
    }
  }
  return smallest
}

/** A flow that names what was taken away could not be made. */
function readsWhatIsThere({ segments }: FlowSpec): boolean {
  const all = [...allSegments(segments)]
  const ids = new Set(all.map(({ id }) => id))
  return all.every((segment) => segment.kind !== 'refer' || ids.has(segment.to))
}

function* smallerFlows(flow: FlowSpec): Generator<FlowSpec> {
  for (const segments of smallerSequences(flow.segments))
    if (hasAllThatIsRead(segments)) yield { ...flow, segments }
  if (flow.concurrency !== 0) yield { ...flow, concurrency: 0 }
  if (flow.everySeconds !== 0) yield { ...flow, everySeconds: 0 }
  if (flow.context !== 0) yield { ...flow, context: 0 }
  const { watches, ...plain } = flow
  if (watches !== undefined) yield plain
  const { list, ...unlisted } = flow
  if (list === undefined) return
  yield unlisted
  if (list.away.length > 0) yield { ...flow, list: { ...list, away: [] } }
  for (const at of list.comeAt.keys())
    yield { ...flow, list: { ...list, comeAt: list.comeAt.toSpliced(at, 1) } }
}

/** A flow that reads an act that is gone cannot be saved. */
function hasAllThatIsRead(segments: readonly Segment[]): boolean {
  const all = [...allSegments(segments)]
  const ids = new Set(all.map(({ id }) => id))
  return all.every((segment) => segment.kind !== 'refer' || ids.has(segment.to))
}

function* smallerSequences(segments: readonly Segment[]): Generator<readonly Segment[]> {
  for (const [at, segment] of segments.entries()) {
    yield segments.toSpliced(at, 1)
    for (const smaller of smallerSegments(segment)) yield segments.with(at, smaller)
    if (segment.kind === 'if') {
      yield segments.toSpliced(at, 1, ...segment.yes)
      yield segments.toSpliced(at, 1, ...segment.no)
    }
    if (segment.kind === 'fork') for (const way of segment.ways) yield segments.toSpliced(at, 1, ...way)
  }
}

function* smallerSegments(segment: Segment): Generator<Segment> {
  if ('attempts' in segment && segment.attempts !== 1) yield { ...segment, attempts: 1 }
  if (segment.kind === 'each') yield* smallerEach(segment)
  else if (segment.kind === 'repeat') yield* smallerRepeat(segment)
  else if (segment.kind === 'agent') yield* smallerAgent(segment)
  else if (segment.kind === 'act') yield* plainerActs(segment)
  else if (segment.kind === 'if') {
    for (const yes of smallerSequences(segment.yes)) yield { ...segment, yes }
    for (const no of smallerSequences(segment.no)) yield { ...segment, no }
  } else if (segment.kind === 'fork') yield* smallerFork(segment)
  else if (segment.kind === 'switch') yield* smallerSwitch(segment)
}

function* smallerEach(segment: Each): Generator<Segment> {
  if (segment.count > 1) yield { ...segment, count: segment.count - 1 }
  for (const body of smallerSequences(segment.body)) if (body.length > 0) yield { ...segment, body }
}

function* smallerRepeat(segment: Repeat): Generator<Segment> {
  if (segment.most > 1) yield { ...segment, most: segment.most - 1 }
  if (segment.pauseSeconds > 0) yield { ...segment, pauseSeconds: 0 }
  for (const body of smallerSequences(segment.body)) yield { ...segment, body }
}

function* smallerAgent(segment: Agent): Generator<Segment> {
  const { turns, tools } = segment
  for (const [at, calls] of turns.entries()) {
    yield { ...segment, turns: turns.toSpliced(at, 1) }
    if (calls.length < 2) continue
    for (const place of calls.keys()) yield { ...segment, turns: turns.with(at, calls.toSpliced(place, 1)) }
  }
  if (segment.fails > 0) yield { ...segment, fails: 0 }
  if (segment.ms > 0) yield { ...segment, ms: 0 }
  for (const [at, tool] of tools.entries()) {
    if (tool.asksFirst) yield { ...segment, tools: tools.with(at, { ...tool, asksFirst: false }) }
    if (tool.does.kind !== 'act') continue
    for (const does of plainerActs(tool.does)) yield { ...segment, tools: tools.with(at, { ...tool, does }) }
  }
}

function* plainerActs(segment: Act): Generator<Act> {
  const { isCaught, isScheduled, ...plain } = segment
  if (isCaught === true || isScheduled === true) yield plain
  if (segment.readsHistory) yield { ...segment, readsHistory: false }
  if (segment.mode !== 'ok') yield { ...segment, mode: 'ok', fails: 0 }
  if (segment.ms !== 0) yield { ...segment, ms: 0 }
}

function* smallerFork(segment: Extract<Segment, { kind: 'fork' }>): Generator<Segment> {
  for (const [at, way] of segment.ways.entries()) {
    if (segment.ways.length > 2) yield { ...segment, ways: segment.ways.toSpliced(at, 1) }
    for (const smaller of smallerSequences(way)) yield { ...segment, ways: segment.ways.with(at, smaller) }
  }
}

function* smallerSwitch(segment: Extract<Segment, { kind: 'switch' }>): Generator<Segment> {
  for (const [at, way] of segment.cases.entries())
    for (const cases of smallerSequences(way)) yield { ...segment, cases: segment.cases.with(at, cases) }
  for (const otherwise of smallerSequences(segment.otherwise)) yield { ...segment, otherwise }
}

async function withPlainerWorld(scenario: Scenario, shows: Shows): Promise<Scenario> {
  let plainest = scenario
  const changes: Partial<Scenario>[] = [
    { answers: 'burst' },
    { answers: 'each' },
    { disorder: 0 },
    { costMs: 0 },
    { retentionMs: null },
    { places: 256 },
    { features: [] }
  ]
  for (const change of changes) {
    const plainer = { ...plainest, ...change }
    if (sizeOf(plainer) < sizeOf(plainest) && (await shows(plainer))) plainest = plainer
  }
  const { processes, unheard } = plainest
  const alone = { ...plainest, processes: 1, unheard: 0 }
  if (processes !== undefined && processes + (unheard ?? 0) > 1 && (await shows(alone))) return alone
  return plainest
}
