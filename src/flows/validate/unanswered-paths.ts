import type { FlowEdge, FlowNode } from '../document/flow-document.ts'
import { parseEnd } from '../graph/graph.ts'
import { parentsOf } from '../graph/regions.ts'

/** Where a run may go without ever answering who called its flow, and waits. */
interface UnansweredPath {
  readonly node: string
  /** Undefined where the whole flow answers nobody. */
  readonly output?: string
}

interface Flow {
  readonly nodes: readonly Readonly<FlowNode>[]
  readonly edges: readonly Readonly<FlowEdge>[]
  /** The outputs that a node has, the one of errors included. */
  readonly outputsOf: (node: Readonly<FlowNode>) => readonly string[]
}

/** A Stop fails the run on purpose, and that is told to who waits. */
const ANSWERING = new Set(['respond', 'return', 'stop'])

/** Of all outputs of these, one has something. */
const CHOOSING = new Set(['if-else', 'switch', 'approve'])

/** These have something where the others of their node have nothing. */
const INSTEAD = new Set(['error', 'timed_out'])

/** The outputs behind which no Respond, Return or Stop comes, of flows whose Webhook lets callers wait for one. */
export function unansweredPaths(flow: Flow): UnansweredPath[] {
  const waiting = flow.nodes.filter(isWaitedFor)
  if (waiting.length === 0) return []
  const ways = new Ways(flow)
  return waiting.flatMap(({ id }) => {
    if (ways.answers(id)) return []
    return ways.mayAnswer(id) ? ways.deadEnds(id) : [{ node: id }]
  })
}

function isWaitedFor({ type, disabled, fields }: Readonly<FlowNode>): boolean {
  return type === 'webhook' && disabled !== true && fields.respond === 'When the flow answers'
}

interface Way {
  readonly answers: boolean
  readonly mayAnswer: boolean
}

const NEITHER: Way = { answers: false, mayAnswer: false }

class Ways {
  readonly #flow: Flow
  readonly #nodes: ReadonlyMap<string, Readonly<FlowNode>>
  readonly #next = new Map<string, Map<string, string[]>>()
  readonly #known = new Map<string, Way>()

  constructor(flow: Flow) {
    this.#flow = flow
    this.#nodes = new Map(flow.nodes.map((node) => [node.id, node]))
    const parents = parentsOf(flow.nodes)
    for (const { from, to } of flow.edges) {
      const [source, target] = [parseEnd(from), parseEnd(to)]
      if (source === undefined || target === undefined) continue
      // What stands in a region is of runs of its own, and answers nobody.
      if (parents.has(source.node) || parents.has(target.node)) continue
      const ports = this.#next.get(source.node) ?? new Map<string, string[]>()
      const targets = ports.get(source.port) ?? []
      targets.push(target.node)
      this.#next.set(source.node, ports.set(source.port, targets))
    }
  }

  answers(id: string): boolean {
    return this.#wayOf(id).answers
  }

  mayAnswer(id: string): boolean {
    return this.#wayOf(id).mayAnswer
  }

  /** From a node on that may answer and may not. */
  deadEnds(from: string): UnansweredPath[] {
    const found: UnansweredPath[] = []
    const seen = new Set([from])
    for (const id of seen) {
      const node = this.#nodes.get(id)
      if (node === undefined) continue
      for (const output of this.#partings(node))
        if (!this.#behind(id, output).some((next) => this.mayAnswer(next))) found.push({ node: id, output })
      for (const next of this.#after(id)) if (this.mayAnswer(next) && !this.answers(next)) seen.add(next)
    }
    return found
  }

  /** Those that have something where others have nothing. */
  #partings({ id, type, disabled }: Readonly<FlowNode>): readonly string[] {
    const node = this.#nodes.get(id)!
    if (disabled === true) return []
    const outputs = this.#flow.outputsOf(node)
    return CHOOSING.has(type) ? outputs : outputs.filter((output) => INSTEAD.has(output))
  }

  #behind(id: string, output: string): readonly string[] {
    return this.#next.get(id)?.get(output) ?? []
  }

  #after(id: string): string[] {
    return [...(this.#next.get(id)?.values() ?? [])].flat()
  }

  /** Depth first without calls of its own: a flow may be longer than the stack. One that leads back to itself answers nobody. */
  #wayOf(start: string): Way {
    const path = [start]
    const begun = new Set<string>()
    for (let id = path.at(-1); id !== undefined; id = path.at(-1)) {
      if (!begun.has(id)) {
        begun.add(id)
        path.push(...this.#after(id).filter((next) => !begun.has(next) && !this.#known.has(next)))
        continue
      }
      path.pop()
      if (!this.#known.has(id)) this.#known.set(id, this.#judge(id))
    }
    return this.#known.get(start) ?? NEITHER
  }

  #judge(id: string): Way {
    const node = this.#nodes.get(id)
    if (node === undefined) return NEITHER
    if (ANSWERING.has(node.type) && node.disabled !== true) return { answers: true, mayAnswer: true }
    const known = (next: string) => this.#known.get(next) ?? NEITHER
    const partings = new Set(this.#partings(node))
    const others = [...(this.#next.get(id) ?? [])].filter(([output]) => !partings.has(output))
    const isSure =
      (CHOOSING.has(node.type) && partings.size > 0) ||
      others.some(([, nexts]) => nexts.some((next) => known(next).answers))
    const partsAnswer = [...partings].every((output) =>
      this.#behind(id, output).some((next) => known(next).answers)
    )
    return {
      answers: isSure && partsAnswer,
      mayAnswer: this.#after(id).some((next) => known(next).mayAnswer)
    }
  }
}
