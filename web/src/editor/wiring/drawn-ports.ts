import { outputPortsOf, type Port, type Ports } from '../../../../src/flows/component/ports.ts'
import { parseEnd } from '../../../../src/flows/graph/graph.ts'
import type { Edge, Node } from '../graph/flow.ts'
import type { WireIndex } from '../graph/wire-index.ts'
import type { PageCatalogue } from './page-catalogue.ts'

export interface DrawnPort {
  readonly name: string
  readonly port: Port
  /** What feeds an input; of several wires the first. */
  readonly fedBy?: Edge
  /** All wires into an input, where there are several: the first that carries something counts. */
  readonly wires?: readonly Edge[]
  /** An output that no wire leads from. */
  readonly isOpen?: boolean
  /** The node has no such input (any more); it is drawn because a wire still leads to it. */
  readonly isGone: boolean
  /** It is one of the inside of a region. */
  readonly isInside?: boolean
  /** What the canvas knows it by, where its outside has one of the same name. */
  readonly handle?: string
}

const INSIDE = ':inside'

/** What the canvas knows a port by. */
export function handleIdOf({ name, handle }: Pick<DrawnPort, 'name' | 'handle'>): string {
  return handle ?? name
}

/** The name of the port that the canvas knows by this. */
export function portOfHandle(id: string): string {
  return id.endsWith(INSIDE) ? id.slice(0, -INSIDE.length) : id
}

/**
 * The inputs that a node is drawn with: those that it has, and those that wires still lead to. While a template is
 * being typed it names half a variable or does not compile; the wires must not fall off at every key stroke.
 */
export function drawnInputs(wires: WireIndex, catalogue: PageCatalogue, node: Node): DrawnPort[] {
  const { inputs, component } = catalogue.typed(node)
  const known: Ports = inputs ?? component?.inputs ?? {}
  const fed = Map.groupBy(wires.into.get(node.id) ?? [], ({ to }) => portOf(to))
  const inner = component?.region?.inputs ?? NO_PORTS
  const present = Object.entries(known).map(([name, port]) =>
    inside(inner, drawn(name, port, fed.get(name), false))
  )
  const stray = [...fed].filter(([name]) => !Object.hasOwn(known, name))
  // Where the inputs are not known, nobody can say that one is gone.
  const isGone = inputs !== undefined
  return [...present, ...stray.map(([name, edges]) => drawn(name, unknownPort(name), edges, isGone))]
}

export function drawnOutputs(wires: WireIndex, catalogue: PageCatalogue, node: Node): DrawnPort[] {
  const { outputs, component } = catalogue.typed(node)
  const inner = component?.region?.outputs ?? NO_PORTS
  const outer: Ports = component?.outputs ?? NO_PORTS
  // Those that follow from a list are not known while the list is wrong; the wires stay where they are.
  const known = outputs ?? outputPortsOf(catalogue.facts(node.type)?.outputs, node.on_error)
  const used = new Set((wires.outOf.get(node.id) ?? []).map(({ from }) => portOf(from)))
  const stray = [...used].filter((name) => !Object.hasOwn(known, name))
  return [
    ...Object.entries(known).flatMap(([name, port]) => {
      const found = inside(inner, { name, port, isGone: false, isOpen: !used.has(name) })
      // Where it leads tells which of the two is meant.
      const isTwofold = found.isInside === true && Object.hasOwn(outer, name)
      return isTwofold
        ? [
            { ...found, port: outer[name]!, isInside: false },
            { ...found, handle: `${name}${INSIDE}` }
          ]
        : [found]
    }),
    ...stray.map((name) => drawn(name, unknownPort(name), undefined, true))
  ]
}

const NO_PORTS: Ports = {}

function inside(inner: Ports, port: DrawnPort): DrawnPort {
  return Object.hasOwn(inner, port.name) ? { ...port, isInside: true } : port
}

function unknownPort(name: string): Port {
  return { title: name, type: 'any' }
}

function drawn(name: string, port: Port, wires: readonly Edge[] | undefined, isGone: boolean): DrawnPort {
  const fedBy = wires?.[0]
  if (wires === undefined || fedBy === undefined) return { name, port, isGone }
  return wires.length === 1 ? { name, port, fedBy, isGone } : { name, port, fedBy, wires, isGone }
}

function portOf(end: string): string {
  return parseEnd(end)?.port ?? ''
}
