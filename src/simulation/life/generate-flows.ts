import type { SeededRandom } from '../seeded-random.ts'
import {
  type Act,
  type Agent,
  type AgentTool,
  type FlowSpec,
  failsForGood,
  OFF_TYPES,
  runsOf,
  type Segment,
  VALUES
} from './flow-spec.ts'
import { generateList } from './generate-list.ts'

/** Items that each run a flow of many items make thousands of runs, which take minutes and show nothing that tens do not. */
const MOST_RUNS = { usual: 15, larger: 25 }
const MOST_RUNS_OF_ITEM = { usual: 3, larger: 6 }

export type Has = (feature: string) => boolean

/** Later flows may run earlier ones, so none runs itself. */
export function generateFlows(random: SeededRandom, has: Has, contexts: number): FlowSpec[] {
  const count = has('lineage') ? 3 : has('call') || has('alerts') ? 2 + random.below(3) : 1 + random.below(2)
  const flows: FlowSpec[] = []
  for (let flow = 0; flow < count; flow++) flows.push(generateFlow(flow, random, has, { contexts, flows }))
  if (!has('alerts') || flows.length < 2) return flows
  return flows.with(-1, { ...flows.at(-1)!, watches: [...flows.keys()].slice(0, -1) })
}

interface Before {
  readonly contexts: number
  readonly flows: readonly FlowSpec[]
}

function generateFlow(flow: number, random: SeededRandom, has: Has, { contexts, flows }: Before): FlowSpec {
  const context = contexts > 0 && random.chance(0.8) ? 1 + random.below(contexts) : 0
  // A flow runs others of its own context, or of the root.
  const callable = [...flows.keys()].filter((other) => [0, context].includes(flows[other]!.context))
  const upTo = (most: number) => callable.filter((other) => runsOf(flows[other]!.segments, flows) <= most)
  const size = has('larger') ? 'larger' : 'usual'
  const maker = new SegmentMaker(flow, random, has, {
    outside: upTo(MOST_RUNS[size]),
    inside: upTo(MOST_RUNS_OF_ITEM[size])
  })
  return {
    slug: `flow-${flow}`,
    context,
    concurrency: has('limit') && random.chance(0.6) ? 1 + random.below(3) : 0,
    everySeconds: has('ticks') && random.chance(0.4) ? random.pick([5, 20]) : 0,
    ...(has('listed') && { list: generateList(random.fork(`list ${flow}`)) }),
    segments: [
      ...maker.startedBeside(),
      ...maker.handedDown(),
      ...maker.sequence(1 + random.below(has('larger') ? 7 : 4), { inRegion: false, depth: 0 })
    ]
  }
}

/** Flows that may be run by one, outside of a For each and inside. */
interface Callable {
  readonly outside: readonly number[]
  readonly inside: readonly number[]
}

interface Place {
  readonly inRegion: boolean
  readonly depth: number
  /** Acts before it that give something. */
  readonly acts?: readonly string[]
}

class SegmentMaker {
  readonly #flow: number
  readonly #random: SeededRandom
  readonly #has: Has
  readonly #callable: Callable
  #count = 0

  constructor(flow: number, random: SeededRandom, has: Has, callable: Callable) {
    this.#callable = callable
    this.#flow = flow
    this.#random = random
    this.#has = has
  }

  /** Runs that stay open beside the items that are dropped. */
  startedBeside(): Segment[] {
    if (!this.#has('dropped')) return []
    return this.#callable.outside
      .slice(0, 2)
      .map((flow) => ({ kind: 'call', id: this.#id('call'), flow, waits: false }))
  }

  /** The last flow waits for one that starts a third, which waits, and is still there when the one in between has ended. */
  handedDown(): Segment[] {
    if (!this.#has('lineage')) return []
    const below = this.#callable.outside.at(-1)
    const asks: Segment = { kind: 'approve', id: this.#id('approve'), seconds: 0 }
    if (below === undefined) return [asks]
    const call: Segment = { kind: 'call', id: this.#id('call'), flow: below, waits: this.#flow > 1 }
    return this.#flow > 1 ? [call, asks] : [call]
  }

  /** Some items fail at once, while others are under way. */
  #dropped(id: string): Segment {
    const random = this.#random
    const slow: Segment = { ...this.#act(this.#id('act')), ms: 20_000, mode: 'ok', fails: 0 }
    const fails: Segment = { ...this.#act(this.#id('act')), mode: 'fail', ms: random.pick([0, 50]) }
    const fork: Segment = { kind: 'if', id: this.#id('if'), yes: [fails], no: [slow] }
    const body = [fork, this.#act(this.#id('act'))]
    return {
      kind: 'each',
      id,
      count: 2 + random.below(4),
      atOnce: 2 + random.below(2),
      failures: 'stop',
      ...this.#tries(),
      body
    }
  }

  #id(kind: Segment['kind']): string {
    return `f${this.#flow}-${kind}-${this.#count++}`
  }

  sequence(length: number, place: Place): Segment[] {
    const acts = [...(place.acts ?? [])]
    return Array.from({ length }, () => {
      const segment = this.#segment({ ...place, acts })
      if (segment.kind === 'act' && !failsForGood(segment)) acts.push(segment.id)
      return segment
    })
  }

  #segment(place: Place): Segment {
    const kinds = this.#kinds(place)
    const kind = this.#random.pick(kinds)
    return this.#made(kind, this.#id(kind), place)
  }

  #kinds(place: Place): Segment['kind'][] {
    const { inRegion, depth } = place
    const has = this.#has
    const kinds: Segment['kind'][] = ['act', 'act']
    if (has('branch') && depth < 2) kinds.push('if', 'switch')
    if (has('fork') && depth < 2) kinds.push('fork', 'fork', 'fork')
    if (has('each') && !inRegion) kinds.push('each', 'each')
    kinds.push(...this.#laterKinds(place))
    if (has('call') && this.#callableIn(inRegion).length > 0) kinds.push('call', 'call')
    if (has('delay')) kinds.push('delay')
    if (has('wait')) kinds.push('wait', 'wait')
    if (has('approve')) kinds.push('approve')
    if (has('keep')) kinds.push('keep', 'count')
    if (has('disabled')) kinds.push('off', 'silent', 'silent')
    if (has('stop') && this.#random.chance(0.3)) kinds.push('stop')
    return kinds
  }

  #laterKinds({ inRegion, depth, acts = [] }: Place): Segment['kind'][] {
    const kinds: Segment['kind'][] = []
    if (this.#has('say')) kinds.push('say', 'say')
    if (this.#has('repeat') && !inRegion) kinds.push('repeat', 'repeat')
    if (this.#has('agent') && depth < 2) kinds.push('agent', 'agent')
    if (this.#has('refer') && acts.length > 0) kinds.push('refer', 'refer')
    return kinds
  }

  #callableIn(isRegion: boolean): readonly number[] {
    return isRegion ? this.#callable.inside : this.#callable.outside
  }

  #made(kind: Segment['kind'], id: string, place: Place): Segment {
    const random = this.#random
    const inner = (length: number) => this.sequence(length, { ...place, depth: place.depth + 1 })
    switch (kind) {
      case 'act':
        return this.#act(id)
      case 'if':
        return { kind, id, yes: inner(random.below(3)), no: inner(random.below(2)) }
      case 'switch':
        return { kind, id, cases: [inner(1), inner(random.below(2))], otherwise: inner(random.below(2)) }
      case 'fork':
        return {
          kind,
          id,
          ways: Array.from({ length: 2 + random.below(2) }, () => inner(1 + random.below(2)))
        }
      case 'each':
        if (this.#has('dropped') && random.chance(0.7)) return this.#dropped(id)
        return {
          kind,
          id,
          count: this.#has('many') ? 3 + random.below(8) : random.below(6),
          atOnce: 1 + random.below(3),
          failures: random.pick(['stop', 'collect']),
          ...this.#tries(),
          body: this.sequence(1 + random.below(3), { ...place, inRegion: true, depth: place.depth + 1 })
        }
      case 'repeat':
        return {
          kind,
          id,
          most: 1 + random.below(5),
          until: random.below(VALUES),
          pauseSeconds: random.pick([0, 0, 1, 30]),
          ...this.#tries(),
          body: this.sequence(random.below(3), { ...place, inRegion: true, depth: place.depth + 1 })
        }
      case 'agent':
        return this.#agent(id, place)
      case 'refer':
        return { kind, id, to: random.pick(place.acts!) }
      case 'call':
        return {
          kind,
          id,
          flow: random.pick(this.#callableIn(place.inRegion)),
          waits: random.chance(0.6),
          ...this.#tries()
        }
      case 'delay':
        return { kind, id, seconds: random.pick([1, 10, 600]) }
      case 'wait':
      case 'approve':
        return { kind, id, seconds: random.pick([0, 5, 1_800]) }
      case 'off':
        return { kind, id, type: random.pick(OFF_TYPES) }
      default:
        return { kind, id }
    }
  }

  #agent(id: string, { inRegion }: Place): Agent {
    const random = this.#random
    const flows = this.#callableIn(inRegion)
    const tools = withoutTwins(Array.from({ length: 1 + random.below(3) }, () => this.#tool(flows)))
    // One more: the model calls what there is not.
    const calls = () => Array.from({ length: 1 + random.below(3) }, () => random.below(tools.length + 1))
    const turns = Array.from({ length: random.below(inRegion ? 2 : 4) }, calls)
    return {
      kind: 'agent',
      id,
      tools,
      turns,
      mostSteps: turns.length + (random.chance(0.85) ? 1 : 0) || 1,
      ms: random.pick([0, 1, 50, 3_000]),
      fails: this.#has('flaky') ? random.below(2) : 0
    }
  }

  #tool(flows: readonly number[]): AgentTool {
    const random = this.#random
    if (this.#has('call') && flows.length > 0 && random.chance(0.4))
      return {
        does: { kind: 'call', id: this.#id('call'), flow: random.pick(flows), waits: true },
        asksFirst: false
      }
    // What fails is told to the model.
    const { isCaught: _, ...does } = this.#act(this.#id('act'))
    return { does, asksFirst: this.#has('approve') && random.chance(0.5) }
  }

  /** A For each or a Run flow that is tried again opens again what has failed below it. */
  #tries(): { readonly attempts?: number } {
    return this.#has('again') && this.#random.chance(0.7) ? { attempts: 2 } : {}
  }

  #act(id: string): Act {
    const random = this.#random
    const modes = ['ok', 'ok', 'ok', 'ok'] as ('ok' | 'fail' | 'flaky' | 'never')[]
    if (this.#has('fail')) modes.push('fail')
    if (this.#has('flaky')) modes.push('flaky', 'flaky')
    if (this.#has('never')) modes.push('never')
    const mode = random.pick(modes)
    // By chances of their own, which leave those of the others as they were.
    const also = (feature: string) => this.#has(feature) && random.fork(`${feature} ${id}`).chance(0.5)
    return {
      kind: 'act',
      id,
      mode,
      ms: random.pick([0, 0, 1, 15, 50, 3_000, this.#has('slow') ? 20_000 : 0]),
      fails: mode === 'flaky' ? 1 + random.below(2) : 0,
      ...(failsForGood({ mode }) && also('caught') && { isCaught: true }),
      ...(mode === 'flaky' && also('scheduled') && { isScheduled: true }),
      readsHistory: this.#has('history') && random.chance(0.4)
    }
  }
}

/** A flow is a tool by its slug, and has no other name. */
function withoutTwins(tools: readonly AgentTool[]): AgentTool[] {
  const whatOf = ({ does }: AgentTool) => (does.kind === 'call' ? does.flow : does.id)
  return tools.filter((tool, at) => tools.findIndex((other) => whatOf(other) === whatOf(tool)) === at)
}
