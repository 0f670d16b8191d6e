import { ERROR_OUTPUT, type Ports } from '../../../../../src/flows/component/ports.ts'
import type { Note, Point, Size } from '../../../editor/graph/flow.ts'
import type { ComponentFacts } from '../../../editor/wiring/page-catalogue.ts'

/**
 * Where the parts of a node are. A node has one size for as long as it has the same ports: nothing that is typed and no
 * run makes it grow. So wires are right before a node was ever drawn, and while it is far away and drawn as a box.
 * canvas.module.css takes the same numbers from `geometryVariables`.
 */
export const NODE_WIDTH = 240
export const HEAD_HEIGHT = 62
const PORT_ROW = 24
const PORTS_PADDING = 6
const BORDER = 1

export const NOTE_SIZE: Size = { width: 272, height: 128 }
/** What is placed by hand or by keyboard stands on this grid. */
export const GRID = 16

export const geometryVariables = {
  '--node-width': `${NODE_WIDTH}px`,
  '--node-head': `${HEAD_HEIGHT}px`,
  '--port-row': `${PORT_ROW}px`,
  '--ports-padding': `${PORTS_PADDING}px`
} as React.CSSProperties

/** The ports of a node, of which only the number matters here. */
interface PortSides {
  readonly inputs: readonly unknown[]
  readonly outputs: readonly unknown[]
  readonly component?: Pick<ComponentFacts, 'outputs_from_list'> | undefined
}

/**
 * Ports that are alone on their side stand beside the head and need no name; else all of them have rows below it. A branch
 * is named also where it is alone: that one is left says nothing of which.
 */
export function hasPortRows(ports: PortSides): boolean {
  return ports.inputs.length > 1 || ports.outputs.length > 1 || hasBranches(ports)
}

function hasBranches({ outputs, component }: PortSides): boolean {
  if (outputs.length === 0) return false
  return (component?.outputs_from_list ?? null) !== null || outputs.some(isErrorOutput)
}

function isErrorOutput(output: unknown): boolean {
  return typeof output === 'object' && output !== null && 'name' in output && output.name === ERROR_OUTPUT
}

export function portPlace(ports: PortSides, side: 'input' | 'output', row: number): Point {
  const below = hasPortRows(ports) ? HEAD_HEIGHT + (row + 0.5) * PORT_ROW : HEAD_HEIGHT / 2
  return { x: side === 'input' ? 0 : NODE_WIDTH, y: BORDER + below }
}

export function nodeSize(ports: PortSides): Size {
  const rows = Math.max(ports.inputs.length, ports.outputs.length)
  const below = hasPortRows(ports) ? rows * PORT_ROW + PORTS_PADDING : 0
  return { width: NODE_WIDTH, height: HEAD_HEIGHT + below + 2 * BORDER }
}

/** The ports of a node of a component, with all as it begins. */
export function portsOf(
  component: Pick<ComponentFacts, 'inputs' | 'outputs' | 'outputs_from_list'>
): PortSides {
  const names = (ports: Ports) => Object.keys(ports)
  return { inputs: names(component.inputs), outputs: names(component.outputs), component }
}

export function noteSize(note: Note): Size {
  return note.size ?? NOTE_SIZE
}

export function snapped({ x, y }: Point): Point {
  return { x: Math.round(x / GRID) * GRID, y: Math.round(y / GRID) * GRID }
}
