import { textOf } from '../values.ts'
import { type FlowiseNode, type FlowiseWire, rowsOf, START, stateOf } from './flowise-node.ts'

/** Nobody looks further back. */
const FURTHEST = 200
/** Texts ask for the same nodes over and over. */
const MOST_FOUND = 100

/** What leads to what, between the nodes that do something by themselves. */
export class Graph {
  readonly start: { readonly key: string; readonly node: FlowiseNode | undefined }
  readonly wires: readonly FlowiseWire[]
  readonly #coming: ReadonlyMap<string, readonly FlowiseWire[]>
  readonly #byId: ReadonlyMap<string, FlowiseNode>
  readonly #steps: ReadonlyMap<string, string>
  readonly #found = new Map<string, ReadonlySet<string>>()
  readonly #states = new WeakMap<FlowiseNode, ReturnType<typeof stateOf>>()

  /** `steps`: by id of a node, the one that it has gone into, or itself. */
  constructor(
    nodes: readonly FlowiseNode[],
    wires: readonly FlowiseWire[],
    given: { readonly start: FlowiseNode | undefined; readonly steps: ReadonlyMap<string, string> }
  ) {
    this.start = { key: given.start?.id ?? START, node: given.start }
    this.wires = wires
    this.#coming = Map.groupBy(wires, ({ to }) => to)
    this.#byId = new Map(nodes.map((node) => [node.id, node]))
    this.#steps = given.steps
  }

  stepOf(id: string): string | undefined {
    return this.#steps.get(id)
  }

  leadsTo(from: string, to: string): boolean {
    return from !== to && this.#before(to).has(from)
  }

  comesFrom(id: string): readonly FlowiseNode[] {
    return (this.#coming.get(id) ?? []).flatMap(({ from }) => this.#byId.get(from) ?? [])
  }

  /** Agents of version 1 that have spoken before: those that come after them are told all of it, the first one first. */
  speakersBefore(id: string): readonly FlowiseNode[] {
    return [...this.#before(id)]
      .flatMap((each) => this.#byId.get(each) ?? [])
      .filter(({ name }) => /^seq(?:Agent|LLMNode)$/.test(name))
      .reverse()
  }

  /** The nearest node before that sets this of the state. */
  lastSet(key: string, to: string): { readonly node: FlowiseNode; readonly value: string } | undefined {
    for (const id of this.#before(to)) {
      const node = this.#byId.get(id)
      const set = node && this.#stateOf(node).find((each) => each.key === key)
      if (node !== undefined && set !== undefined) return { node, value: set.value }
    }
    return undefined
  }

  #stateOf(node: FlowiseNode): ReturnType<typeof stateOf> {
    const known = this.#states.get(node) ?? stateOf(node)
    this.#states.set(node, known)
    return known
  }

  /** Undefined where the start names no such state. */
  firstState(key: string): string | undefined {
    const row = rowsOf(this.start.node?.inputs.startState).find((each) => textOf(each.key) === key)
    return row === undefined ? undefined : textOf(row.value)
  }

  /** The nearest first. */
  #before(id: string): ReadonlySet<string> {
    const known = this.#found.get(id)
    if (known !== undefined) return known
    if (this.#found.size >= MOST_FOUND) this.#found.clear()
    const found = this.#search(id)
    this.#found.set(id, found)
    return found
  }

  /** What stands in an iteration has all that leads to that before it. */
  #search(id: string): Set<string> {
    const found = new Set<string>()
    const look = [id]
    for (let next = look.pop(); next !== undefined && found.size < FURTHEST; next = look.pop()) {
      const parent = this.#byId.get(next)?.parent ?? ''
      const froms = [
        ...(this.#coming.get(next) ?? []).map(({ from }) => from),
        ...(parent === '' ? [] : [parent])
      ]
      for (const from of froms)
        if (!found.has(from) && from !== id) {
          found.add(from)
          look.unshift(from)
        }
    }
    return found
  }
}
