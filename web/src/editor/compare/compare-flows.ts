import { equalJson } from '../graph/equal-json.ts'
import {
  type Edge,
  edgeKey,
  type Flow,
  LAYOUT_MEMBERS,
  type Node,
  type Note,
  notesOf
} from '../graph/flow.ts'
import { type DiffLine, diffText } from './diff-text.ts'

/** What is different between two states of a flow. */
export interface Comparison {
  readonly isSame: boolean
  /** Name, description, slug, context. */
  readonly flow: readonly Change[]
  readonly nodes: Difference<Node>
  readonly edges: { readonly added: readonly Edge[]; readonly removed: readonly Edge[] }
  readonly notes: Difference<Note>
}

interface Difference<T> {
  readonly added: readonly T[]
  readonly removed: readonly T[]
  readonly changed: readonly Changed<T>[]
}

export interface Changed<T> {
  readonly id: string
  readonly before: T
  readonly after: T
  /** It stands elsewhere, or is drawn differently; that is all where there are no changes. */
  readonly isMoved: boolean
  readonly changes: readonly Change[]
}

/** A member or a field that has another value. Undefined is absent. */
export interface Change {
  /** A field of a node, rather than a member. */
  readonly isField: boolean
  readonly name: string
  readonly before: unknown
  readonly after: unknown
  /** Line by line, where both are text. */
  readonly lines?: readonly DiffLine[]
}

const APART: readonly string[] = ['nodes', 'edges', 'notes', 'id', 'fields', ...LAYOUT_MEMBERS]

export function compareFlows(before: Flow, after: Flow): Comparison {
  const flow = membersChanged(before, after)
  const nodes = compareParts(before.nodes, after.nodes, (one, other) => [
    ...membersChanged(one, other),
    ...changesIn(one.fields, other.fields, true)
  ])
  const notes = compareParts(notesOf(before), notesOf(after), membersChanged)
  const edges = compareEdges(before.edges, after.edges)
  const lists = [flow, edges.added, edges.removed, ...[nodes, notes].flatMap((all) => Object.values(all))]
  return { isSame: lists.every((list) => list.length === 0), flow, nodes, edges, notes }
}

function compareParts<T extends { readonly id: string }>(
  before: readonly T[],
  after: readonly T[],
  changesOf: (one: T, other: T) => Change[]
): Difference<T> {
  const old = new Map(before.map((part) => [part.id, part]))
  const fresh = new Map(after.map((part) => [part.id, part]))
  const changed = after.flatMap((part): Changed<T>[] => {
    const was = old.get(part.id)
    if (was === undefined || equalJson(was, part)) return []
    const isMoved = LAYOUT_MEMBERS.some((name) => !equalJson(was[name as keyof T], part[name as keyof T]))
    return [{ id: part.id, before: was, after: part, isMoved, changes: changesOf(was, part) }]
  })
  return {
    added: after.filter(({ id }) => !old.has(id)),
    removed: before.filter(({ id }) => !fresh.has(id)),
    changed
  }
}

function compareEdges(before: readonly Edge[], after: readonly Edge[]): Comparison['edges'] {
  const [old, fresh] = [new Set(before.map(edgeKey)), new Set(after.map(edgeKey))]
  return {
    added: after.filter((edge) => !old.has(edgeKey(edge))),
    removed: before.filter((edge) => !fresh.has(edgeKey(edge)))
  }
}

function membersChanged(before: object, after: object): Change[] {
  return changesIn(before, after, false).filter(({ name }) => !APART.includes(name))
}

function changesIn(before: object, after: object, isField: boolean): Change[] {
  const [old, fresh] = [
    new Map<string, unknown>(Object.entries(before)),
    new Map<string, unknown>(Object.entries(after))
  ]
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((name) => !equalJson(old.get(name), fresh.get(name)))
    .map((name) => changeOf(name, old.get(name), fresh.get(name), isField))
}

function changeOf(name: string, before: unknown, after: unknown, isField: boolean): Change {
  const change = { isField, name, before, after }
  const areTexts = typeof before === 'string' && typeof after === 'string'
  return areTexts ? { ...change, lines: diffText(before, after) } : change
}

/** What a comparison comes to, in one line: "2 nodes added, 1 changed, 3 wires removed". */
export function summarise({ isSame, flow, nodes, edges, notes }: Comparison): string {
  if (isSame) return 'No differences'
  const real = nodes.changed.filter(({ changes }) => changes.length > 0)
  const counts: [count: number, one: string, many: string, what: string][] = [
    [nodes.added.length, 'node', 'nodes', 'added'],
    [nodes.removed.length, 'node', 'nodes', 'removed'],
    [real.length, 'node', 'nodes', 'changed'],
    [nodes.changed.length - real.length, 'node', 'nodes', 'moved'],
    [edges.added.length, 'wire', 'wires', 'added'],
    [edges.removed.length, 'wire', 'wires', 'removed'],
    [notes.added.length + notes.removed.length + notes.changed.length, 'note', 'notes', 'touched'],
    [flow.length, 'setting', 'settings', 'changed']
  ]
  return counts
    .filter(([count]) => count > 0)
    .map(([count, one, many, what]) => `${count} ${count === 1 ? one : many} ${what}`)
    .join(', ')
}

/** Nodes and notes that are not the same: what to point at after an undo. */
export function touchedParts(before: Flow, after: Flow): string[] {
  const old = new Map([...before.nodes, ...notesOf(before)].map((part) => [part.id, part as unknown]))
  return [...after.nodes, ...notesOf(after)]
    .filter((part) => !equalJson(part, old.get(part.id)))
    .map(({ id }) => id)
}
