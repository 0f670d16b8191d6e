import { parseEnd } from '../../../../src/flows/graph/graph.ts'
import { equalJson } from '../graph/equal-json.ts'
import { type Edge, type Flow, findNode, isSameEdge, type Node, notesOf, touches } from '../graph/flow.ts'
import { isEmptied, placeGroups, withGroupMoves, withoutNodes } from '../groups/groups.ts'
import { placeRegions, setRegion, withInside, withRegionMoves } from '../regions/regions.ts'
import type { Command, FlowChanges, NodeChanges, NoteChanges } from './command.ts'
import { insertFragment } from './insert-fragment.ts'

/** The flow after a command; the very same object where the command changes nothing. */
export function applyCommand(flow: Flow, command: Command): Flow {
  const next = commanded(flow, command)
  return next.nodes === flow.nodes && next.notes === flow.notes ? next : placeGroups(placeRegions(next))
}

function commanded(flow: Flow, command: Command): Flow {
  switch (command.kind) {
    case 'insert':
      return insertFragment(flow, command.fragment)
    case 'remove':
      return remove(flow, withInside(flow, new Set(command.ids)), command.edges ?? [])
    case 'move':
      return move(flow, withRegionMoves(flow, withGroupMoves(flow, command.positions)))
    case 'set-region':
      return setRegion(flow, command.nodes, command.region)
    case 'connect':
      return connect(flow, command.edge)
    case 'disconnect':
      return withEdges(flow, (edge) => !isSameEdge(edge, command.edge))
    case 'reconnect':
      return reconnect(flow, command.edge, command.as)
    case 'splice':
      return splice(flow, command)
    case 'rewire':
      return rewire(flow, command)
    case 'set-field':
      return followOutputs(
        changeNode(flow, command.node, (node) => setField(node, command.field, command.value)),
        command
      )
    case 'reset-field':
      return changeNode(flow, command.node, (node) => resetField(node, command.field))
    case 'change-node':
      return changeNode(flow, command.node, (node) => change(node, command.changes))
    case 'change-note':
      return changeNote(flow, command)
    case 'change-flow':
      return change(flow, command.changes)
    case 'replace':
      return unlessSame(flow, command.document)
    case 'all':
      return unlessSame(flow, command.commands.reduce(applyCommand, flow))
  }
}

function unlessSame(flow: Flow, next: Flow): Flow {
  return equalJson(flow, next) ? flow : next
}

function remove(flow: Flow, ids: ReadonlySet<string>, edges: readonly Edge[]): Flow {
  const goes = (edge: Edge) =>
    touches(edge, (node) => ids.has(node)) || edges.some((other) => isSameEdge(edge, other))
  const without = withEdges(flow, (edge) => !goes(edge))
  const nodes = flow.nodes.filter((node) => !ids.has(node.id))
  const isGone = (id: string) => ids.has(id)
  const notes = mapChanged(notesOf(flow), (note) => withoutNodes(note, isGone)).filter(
    (note, index) => !ids.has(note.id) && !(isEmptied(note) && !isEmptied(notesOf(flow)[index]!))
  )
  const fewerNodes = nodes.length === flow.nodes.length ? without : { ...without, nodes }
  if (areSame(notes, notesOf(flow))) return fewerNodes
  if (notes.length > 0) return { ...fewerNodes, notes }
  // Without a note the document is as it was before the first one.
  const { notes: _, ...none } = fewerNodes
  return none
}

function move(flow: Flow, positions: Extract<Command, { kind: 'move' }>['positions']): Flow {
  const place = <T extends Pick<Node, 'id' | 'position'>>(part: T): T => {
    const to = Object.hasOwn(positions, part.id) ? positions[part.id] : undefined
    return to === undefined || equalJson(to, part.position)
      ? part
      : { ...part, position: { x: to.x, y: to.y } }
  }
  const nodes = mapChanged(flow.nodes, place)
  const notes = mapChanged(notesOf(flow), place)
  const moved = nodes === flow.nodes ? flow : { ...flow, nodes }
  return notes === notesOf(flow) ? moved : { ...moved, notes }
}

function connect(flow: Flow, edge: Edge): Flow {
  if (!hasBothEnds(flow, edge) || flow.edges.some((other) => isSameEdge(other, edge))) return flow
  return { ...flow, edges: [...flow.edges, plain(edge)] }
}

function reconnect(flow: Flow, edge: Edge, as: Edge): Flow {
  if (!flow.edges.some((other) => isSameEdge(other, edge)) || isSameEdge(edge, as)) return flow
  if (!hasBothEnds(flow, as)) return flow
  if (flow.edges.some((other) => isSameEdge(other, as))) {
    return withEdges(flow, (other) => !isSameEdge(other, edge))
  }
  // In its place: of several wires into an input the first that carries something counts.
  return { ...flow, edges: flow.edges.map((other) => (isSameEdge(other, edge) ? plain(as) : other)) }
}

function splice(flow: Flow, { node, edge, input, output }: Extract<Command, { kind: 'splice' }>): Flow {
  if (findNode(flow, node) === undefined || !flow.edges.some((other) => isSameEdge(other, edge))) return flow
  const into = connect(flow, { from: edge.from, to: `${node}.${input}` })
  // In the place of the very wire that it was let into: the input may have others.
  const outOf = { from: `${node}.${output}`, to: edge.to }
  if (into.edges.some((other) => isSameEdge(other, outOf)))
    return withEdges(into, (other) => !isSameEdge(other, edge))
  return { ...into, edges: into.edges.map((other) => (isSameEdge(other, edge) ? outOf : other)) }
}

function rewire(flow: Flow, { node, renamed, gone }: Extract<Command, { kind: 'rewire' }>): Flow {
  const fed = new Set(flow.edges.map(({ to }) => to))
  const edges = flow.edges.flatMap((edge) => {
    const end = parseEnd(edge.to)
    if (end === undefined || end.node !== node) return [edge]
    if (gone.includes(end.port)) return []
    if (!Object.hasOwn(renamed, end.port)) return [edge]
    const to = `${node}.${renamed[end.port]}`
    // What feeds an input of that name already stays.
    return fed.has(to) && to !== edge.to ? [] : [{ ...edge, to }]
  })
  return equalJson(edges, flow.edges) ? flow : { ...flow, edges }
}

/** All at once: a case may get the name that another one had. */
function followOutputs(flow: Flow, { node, renamed = {} }: Extract<Command, { kind: 'set-field' }>): Flow {
  if (Object.keys(renamed).length === 0) return flow
  const edges = flow.edges.map((edge) => {
    const end = parseEnd(edge.from)
    if (end?.node !== node || !Object.hasOwn(renamed, end.port)) return edge
    return { ...edge, from: `${node}.${renamed[end.port]}` }
  })
  return { ...flow, edges }
}

function setField(node: Node, field: string, value: unknown): Node {
  if (Object.hasOwn(node.fields, field) && equalJson(node.fields[field], value)) return node
  return { ...node, fields: { ...node.fields, [field]: value } }
}

function resetField(node: Node, field: string): Node {
  if (!Object.hasOwn(node.fields, field)) return node
  const fields = Object.fromEntries(Object.entries(node.fields).filter(([name]) => name !== field))
  return { ...node, fields }
}

function changeNode(flow: Flow, id: string, by: (node: Node) => Node): Flow {
  const nodes = mapChanged(flow.nodes, (node) => (node.id === id ? by(node) : node))
  return nodes === flow.nodes ? flow : { ...flow, nodes }
}

function changeNote(flow: Flow, command: Extract<Command, { kind: 'change-note' }>): Flow {
  const notes = mapChanged(notesOf(flow), (note) =>
    note.id === command.note ? change(note, command.changes) : note
  )
  return notes === notesOf(flow) ? flow : { ...flow, notes }
}

function change<T extends object>(part: T, changes: NodeChanges | NoteChanges | FlowChanges): T {
  const isNew = ([name, value]: [string, unknown]) =>
    value === null
      ? Object.hasOwn(part, name)
      : !(Object.hasOwn(part, name) && equalJson(part[name as keyof T], value))
  if (!Object.entries(changes).some(isNew)) return part
  const changed = Object.entries({ ...part, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(changed) as T
}

function withEdges(flow: Flow, stays: (edge: Edge) => boolean): Flow {
  const edges = flow.edges.filter(stays)
  return edges.length === flow.edges.length ? flow : { ...flow, edges }
}

function hasBothEnds(flow: Flow, { from, to }: Edge): boolean {
  return [from, to].every((end) => {
    const node = parseEnd(end)?.node
    return node !== undefined && findNode(flow, node) !== undefined
  })
}

/** Without what a canvas may have added to it. */
function plain({ from, to }: Edge): Edge {
  return { from, to }
}

function mapChanged<T>(parts: readonly T[], by: (part: T) => T): readonly T[] {
  const mapped = parts.map(by)
  return areSame(mapped, parts) ? parts : mapped
}

function areSame<T>(some: readonly T[], others: readonly T[]): boolean {
  return some.length === others.length && some.every((part, index) => part === others[index])
}
