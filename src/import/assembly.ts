import type { Turns } from '../flows/in-turns.ts'
import { slugify } from '../flows/slug.ts'
import type { Become } from './become.ts'
import { fitWires } from './fit-wires.ts'
import type { ImportedFlow, ImportHelp, NeededConnection, NodeReport } from './imported-flow.ts'
import { resolveOwn, resolveReferences } from './references.ts'

/** A node as it was, with where it stands. */
export interface SourceNode {
  /** By which wires name it. */
  readonly key: string
  readonly type: string
  readonly title: string
  readonly x: number
  readonly y: number
  readonly isDisabled: boolean
  /** It was no node there. */
  readonly isMade?: boolean
  /** Of the node that is made of it. */
  readonly extras?: Readonly<Record<string, unknown>>
}

export interface SourceWire {
  readonly from: string
  readonly output: string
  readonly to: string
  readonly input: string
  /** It was no wire there. */
  readonly isMade?: boolean
}

export interface SourceNote {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width?: number
  readonly height?: number
  readonly colour?: string
}

interface Assembly {
  readonly name: string
  /** Where it was given already, since another flow names it. */
  readonly slug?: string
  readonly description?: string
  readonly nodes: readonly SourceNode[]
  /** By key; a node that has none went into another one, and says so. */
  readonly becomes: ReadonlyMap<string, Become>
  /** Nodes whose settings went into another. */
  readonly absorbed?: ReadonlyMap<
    string,
    { readonly into: string; readonly note: string; readonly verdict: 'exact' | 'adapted' }
  >
  readonly wires: readonly SourceWire[]
  /** How many wires there were that are no edges here, and mean what they meant. */
  readonly meant?: number
  readonly notes: readonly SourceNote[]
  /** By key, the ids. */
  readonly ids: ReadonlyMap<string, string>
  /** By key of a node, the key of the region that it stands in. */
  readonly regions?: ReadonlyMap<string, string>
  /** What outputs gave, by the key of their node. */
  readonly pinned?: readonly { readonly key: string; readonly output: string; readonly value: unknown }[]
}

/** Ids that people can read, each once. */
export function idsFor(names: readonly (readonly [key: string, name: string])[]): Map<string, string> {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  for (const [key, name] of names) {
    const base = slugify(name).slice(0, 60) || 'node'
    let count = counts.get(base) ?? 1
    let id = count === 1 ? base : `${base}-${count}`
    while (taken.has(id)) id = `${base}-${++count}`
    counts.set(base, count + 1)
    taken.add(id)
    ids.set(key, id)
  }
  return ids
}

interface Edge {
  readonly from: string
  readonly to: string
}

const LONGEST_TITLE = 200
const LONGEST_NOTE = 20_000
const LONGEST_NAME = 200
const MOST_NOTES = 1_000
/** Parts of a node stand beside it. */
const BESIDE = 60

/** A flow of all that its nodes became. */
export function* assemble(assembly: Assembly, help: ImportHelp): Turns<ImportedFlow> {
  const { nodes, becomes, absorbed = new Map() } = assembly
  const drawn: Record<string, unknown>[] = []
  const reports: NodeReport[] = []
  const connections = new Map<string, NeededConnection>()
  for (const node of nodes) {
    yield
    const become = becomes.get(node.key)
    if (become === undefined) {
      const gone = absorbed.get(node.key)
      if (gone !== undefined) reports.push(reportOfAbsorbed(node, gone, assembly))
      continue
    }
    drawn.push(...resolveReferences(partsOf(node, become, assembly), assembly))
    if (node.isMade !== true) reports.push(reportOf(node, become, assembly))
    for (const needed of become.connections ?? []) connections.set(needed.name, needed)
  }
  const { edges, kept, lost } = yield* edgesOf(assembly)
  const fitted = yield* fitWires(drawn, edges)
  const name = assembly.name.trim().slice(0, LONGEST_NAME) || 'Imported flow'
  const document = {
    name,
    ...(assembly.description ? { description: assembly.description.slice(0, 10_000) } : {}),
    nodes: [...fitted.nodes],
    edges: [...fitted.edges],
    ...(assembly.notes.length > 0 && { notes: notesOf(assembly) })
  }
  return {
    name,
    slug: assembly.slug ?? help.slugFor(name),
    document,
    nodes: reports,
    wires: { kept: kept + (assembly.meant ?? 0), lost },
    connections: [...connections.values()],
    pinned: pinsOf(assembly)
  }
}

function partsOf(node: SourceNode, become: Become, { ids, regions }: Assembly): Record<string, unknown>[] {
  const region = regions?.get(node.key)
  const parent = region === undefined ? {} : { parent: ids.get(region)! }
  return Object.entries(become.parts).map(([name, { type, fields, title, disabled, isInside }], at) => {
    const isMain = at === 0
    const isDisabled = disabled === true || (isMain && node.isDisabled)
    return {
      id: partId(ids.get(node.key)!, name, at),
      type,
      title: (title ?? (isMain ? node.title : `${node.title}: ${name}`)).slice(0, LONGEST_TITLE),
      position: { x: placed(node.x + at * BESIDE), y: placed(node.y + at * BESIDE) },
      fields: resolveOwn(fields, ids.get(node.key)!),
      ...(isMain ? node.extras : {}),
      ...(isDisabled && { disabled: true }),
      ...(isInside === true ? { parent: ids.get(node.key)! } : parent)
    }
  })
}

function partId(id: string, name: string, at: number): string {
  return at === 0 ? id : `${id}-${name}`
}

function placed(value: number): number {
  return Number.isFinite(value) ? Math.round(Math.min(900_000, Math.max(-900_000, value))) : 0
}

function reportOf(node: SourceNode, become: Become, { ids }: Assembly): NodeReport {
  const [main] = Object.values(become.parts)
  const { verdict, note } = become
  return {
    node: ids.get(node.key)!,
    title: node.title,
    was: node.type,
    became: main!.type,
    verdict,
    note
  }
}

function reportOfAbsorbed(
  node: SourceNode,
  { into, note, verdict }: { into: string; note: string; verdict: 'exact' | 'adapted' },
  { ids, becomes }: Assembly
): NodeReport {
  const [main] = Object.values(becomes.get(into)?.parts ?? {})
  return {
    node: ids.get(into) ?? '',
    title: node.title,
    was: node.type,
    became: main?.type ?? '',
    verdict,
    note
  }
}

function* edgesOf({ wires, becomes, ids }: Assembly): Turns<{ edges: Edge[]; kept: number; lost: number }> {
  const edges: Edge[] = []
  const known = new Set<string>()
  const add = (from: string, to: string) => {
    if (known.has(`${from} ${to}`)) return
    known.add(`${from} ${to}`)
    edges.push({ from, to })
  }
  let kept = 0
  let lost = 0
  for (const { from, output, to, input, isMade } of wires) {
    yield
    const gives = becomes.get(from)?.gives(output)
    const begins = endIn(gives, from, { becomes, ids })
    const ends = endIn(becomes.get(to)?.takes(input), to, { becomes, ids })
    if (isMade !== true) {
      if (begins === undefined || ends === undefined) lost++
      else kept++
    }
    if (begins !== undefined && ends !== undefined) {
      add(begins, ends)
      const values = becomes.get(to)?.parts.values
      if (values !== undefined && input !== 'tools') add(begins, `${ids.get(to)}-values.data`)
      for (const feed of becomes.get(to)?.feeds ?? []) add(begins, endIn(feed, to, { becomes, ids })!)
    }
  }
  for (const [from, to] of linksIn({ becomes, ids })) add(from, to)
  return { edges, kept, lost }
}

const REACHING = /^(?:api-request|language-model|agent|sql|send-email|knowledge-search)$/

/** The output by which the part that reaches outside goes on to others: what is pinned behind it needs no call. */
function reachesOutside({ parts, links = [] }: Become): string | undefined {
  if (!REACHING.test(parts.main?.type ?? '')) return undefined
  return links.find(([from]) => from.startsWith('main.') && from !== 'main.error')?.[0]
}

/** By the node here that gives what was pinned there. */
function pinsOf(assembly: Assembly): ImportedFlow['pinned'] {
  const pins: Record<string, Record<string, unknown>> = {}
  for (const { key, output, value } of assembly.pinned ?? []) {
    const become = assembly.becomes.get(key)
    const pin = (end: string | undefined, given: unknown) => {
      const there = endIn(end, key, assembly)
      const dot = there?.indexOf('.') ?? 0
      if (there !== undefined) pins[there.slice(0, dot)] = { [there.slice(dot + 1)]: given }
    }
    pin(become && reachesOutside(become), '')
    pin(become?.gives(output), value)
  }
  return pins
}

/** Among the parts of each node. */
function* linksIn(known: Pick<Assembly, 'becomes' | 'ids'>): Generator<readonly [from: string, to: string]> {
  for (const [key, { links = [] }] of known.becomes)
    for (const [from, to] of links) {
      const begins = endIn(from, key, known)
      const ends = endIn(to, key, known)
      if (begins !== undefined && ends !== undefined) yield [begins, ends]
    }
}

/** `main.data` of a node as `parser-1.data`. */
function endIn(
  end: string | undefined,
  key: string,
  { becomes, ids }: Pick<Assembly, 'becomes' | 'ids'>
): string | undefined {
  if (end === undefined) return undefined
  const dot = end.indexOf('.')
  const [name, port] = [end.slice(0, dot), end.slice(dot + 1)]
  const at = Object.keys(becomes.get(key)?.parts ?? {}).indexOf(name)
  const id = ids.get(key)
  return at < 0 || id === undefined ? undefined : `${partId(id, name, at)}.${port}`
}

function notesOf({ notes, ids }: Assembly): Record<string, unknown>[] {
  const taken = new Set(ids.values())
  let n = 0
  return notes.slice(0, MOST_NOTES).map(({ text, x, y, width, height, colour }) => {
    do n++
    while (taken.has(`note-${n}`))
    const size = width !== undefined && height !== undefined && width >= 1 && height >= 1
    return {
      id: `note-${n}`,
      text: text.slice(0, LONGEST_NOTE),
      position: { x: placed(x), y: placed(y) },
      ...(size && { size: { width: Math.min(width, 1e6), height: Math.min(height, 1e6) } }),
      ...(colour !== undefined && { colour })
    }
  })
}
