import type { Field } from '../../../../../src/flows/component.ts'
import type { Ports } from '../../../../../src/flows/ports.ts'
import type { Note, Point, Size } from '../../../editor/graph/flow.ts'
import type { ComponentFacts } from '../../../editor/wiring/page-catalogue.ts'
import type { DrawnNode } from './drawn-nodes.ts'

/**
 * Where the parts of a node are. Ports stand above the fields and in rows of one height, so their places follow from
 * the numbers here: wires are right before a node was ever drawn, and while it is far away and drawn as a box.
 * canvas.module.css takes the same numbers from `geometryVariables`.
 */
export const NODE_WIDTH = 272
const HEADER_HEIGHT = 48
const PORT_ROW = 24
const PORTS_PADDING = 8
const BORDER = 1

export const NOTE_SIZE: Size = { width: 272, height: 128 }
/** What is placed by hand or by keyboard stands on this grid. */
export const GRID = 16

export const geometryVariables = {
  '--node-width': `${NODE_WIDTH}px`,
  '--node-header': `${HEADER_HEIGHT}px`,
  '--port-row': `${PORT_ROW}px`,
  '--ports-padding': `${PORTS_PADDING}px`
} as React.CSSProperties

export function portPlace(side: 'input' | 'output', row: number): Point {
  const y = BORDER + HEADER_HEIGHT + PORTS_PADDING + (row + 0.5) * PORT_ROW
  return { x: side === 'input' ? 0 : NODE_WIDTH, y }
}

/** How big a node will be, until it is drawn and measured: for the first view and for what is out of sight. */
export function expectedSize({ node, component, inputs, outputs }: DrawnNode): Size {
  const rows = Math.max(inputs.length, outputs.length)
  const ports = rows === 0 ? 0 : rows * PORT_ROW + 2 * PORTS_PADDING
  const shown = node.collapsed === true ? [] : shownFields(component?.fields ?? {}, node.shown_fields ?? [])
  const fields = shown.reduce(
    (height, [name, field]) => height + expectedFieldHeight(field, node.fields[name] ?? field.default),
    0
  )
  const body = shown.length === 0 ? 0 : fields + 12 + (BELOW_FIELDS[node.type] ?? 0)
  return { width: NODE_WIDTH, height: HEADER_HEIGHT + ports + body + 2 * BORDER }
}

/** How big a node of a component will be, with all as it begins. */
export function newNodeSize(component: ComponentFacts): Size {
  const node = { id: '', type: component.type, position: { x: 0, y: 0 }, fields: {} }
  const ports = (all: Ports) => Object.entries(all).map(([name, port]) => ({ name, port, isGone: false }))
  return expectedSize({ node, component, inputs: ports(component.inputs), outputs: ports(component.outputs) })
}

export function noteSize(note: Note): Size {
  return note.size ?? NOTE_SIZE
}

/** The fields that stand on a node: hidden ones only where Controls has shown them. */
export function shownFields<F extends Field>(
  fields: Readonly<Record<string, F>>,
  chosen: readonly string[]
): [string, F][] {
  return Object.entries(fields).filter(([name, field]) => field.hidden !== true || chosen.includes(name))
}

/** As measured: the buttons of a Webhook with its hint, Inspect output, and the buttons of an API Request. */
const BELOW_FIELDS: Readonly<Record<string, number>> = { webhook: 88, parser: 16, 'api-request': 34 }

function expectedFieldHeight(field: Field, value: unknown): number {
  if (field.kind === 'boolean') return 30
  if (field.kind === 'connection') return value === '' ? 56 : 76
  if (field.kind === 'template') return 57 + expectedTemplateHeight(String(value ?? ''))
  return field.kind === 'json' || (field.kind === 'text' && field.multiline === true) ? 92 : 56
}

/** Letters that a line of a template has room for, and how it grows and then scrolls: see template-field.module.css. */
const TEMPLATE_LETTERS = 31
const TEMPLATE_LINE = 20

function expectedTemplateHeight(template: string): number {
  const lines = template.split('\n').map(({ length }) => Math.max(1, Math.ceil(length / TEMPLATE_LETTERS)))
  const height = lines.reduce((sum, count) => sum + count * TEMPLATE_LINE, 10)
  return Math.min(116, Math.max(58, height))
}

export function snapped({ x, y }: Point): Point {
  return { x: Math.round(x / GRID) * GRID, y: Math.round(y / GRID) * GRID }
}
