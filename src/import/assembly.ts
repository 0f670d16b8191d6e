import type { Turns } from '../flows/in-turns.ts'
import { slugify } from '../flows/slug.ts'
import { edgesOf, endIn, lostByNode, partId, type SourceWire } from './assembled-wires.ts'
import type { Become } from './become.ts'
import { notesOf, placed, type SourceNote } from './draw-notes.ts'
import { fitWires } from './fit-wires.ts'
import type { ImportedFlow, ImportHelp, NeededConnection, NodeReport } from './imported-flow.ts'
import { openBecome, withoutSecrets } from './left-out-secrets.ts'
import { resolveOwn } from './references.ts'
import { withOmissions } from './report-notes.ts'
import { type Drawn, withReferences } from './written-references.ts'

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
  /** It has no line in the report: what it has to say stands at the node with this key. */
  readonly madeFor?: string
  /** Of the node that is made of it. */
  readonly extras?: Readonly<Record<string, unknown>>
}

export interface Absorbed {
  readonly into: string
  readonly note: string
  readonly verdict: 'exact' | 'adapted'
  /** That node uses it: where nothing stands for the one, nothing stands for the other. */
  readonly isLent?: boolean
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
  readonly absorbed?: ReadonlyMap<string, Absorbed>
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
export function* idsFor(
  names: readonly (readonly [key: string, name: string])[]
): Turns<Map<string, string>> {
  const ids = new Map<string, string>()
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  for (const [key, name] of names) {
    yield
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

const LONGEST_TITLE = 200
const LONGEST_NAME = 200
/** Parts of a node stand below it, each a little to the right. */
const BELOW = { x: 24, y: 130 }
const OVER = { x: 280, y: -170 }

/** A flow of all that its nodes became. */
export function* assemble(sent: Assembly, help: ImportHelp): Turns<ImportedFlow> {
  const assembly = { ...sent, becomes: yield* openBecomes(sent.becomes) }
  const { nodes, becomes, absorbed = new Map() } = assembly
  const parts = new Map<string, readonly Drawn[]>()
  const connections = new Map<string, NeededConnection>()
  for (const node of nodes) {
    yield
    const become = becomes.get(node.key)
    if (become === undefined) continue
    parts.set(node.key, partsOf(node, become, assembly))
    for (const needed of become.connections ?? []) connections.set(needed.name, needed)
  }
  const { edges, kept, left } = yield* edgesOf(assembly.wires, assembly)
  const titles = new Map(nodes.map(({ key, title }) => [key, title]))
  const lost = yield* lostByNode(left, titles, assembly)
  const { drawn, missing } = yield* withReferences(parts, edges, assembly)
  const beside = yield* notesBeside(nodes, assembly, missing)
  const reports: NodeReport[] = []
  for (const node of nodes) {
    yield
    const become = becomes.get(node.key)
    const gone = absorbed.get(node.key)
    if (become !== undefined && node.isMade !== true)
      reports.push(
        withOmissions(reportOf(node, become, assembly), {
          missing: missing.get(node.key),
          lost: lost.get(node.key),
          beside: beside.get(node.key)
        })
      )
    else if (become === undefined && gone !== undefined) reports.push(reportOfAbsorbed(node, gone, assembly))
  }
  const fitted = yield* fitWires(drawn, edges)
  const name = assembly.name.trim().slice(0, LONGEST_NAME) || 'Imported flow'
  const document = {
    name,
    ...(assembly.description ? { description: assembly.description.slice(0, 10_000) } : {}),
    nodes: [...fitted.nodes],
    edges: [...fitted.edges],
    ...(assembly.notes.length > 0 && { notes: notesOf(assembly.notes, assembly.ids) })
  }
  return {
    name,
    slug: assembly.slug ?? help.slugFor(name),
    document,
    nodes: reports,
    wires: { kept: kept + (assembly.meant ?? 0), lost: left.length },
    connections: [...connections.values()],
    pinned: pinsOf(assembly)
  }
}

function* openBecomes(becomes: Assembly['becomes']): Turns<Map<string, Become>> {
  const open = new Map<string, Become>()
  for (const [key, become] of becomes) {
    yield
    open.set(key, openBecome(become))
  }
  return open
}

function partsOf(node: SourceNode, become: Become, { ids, regions }: Assembly): Drawn[] {
  const region = regions?.get(node.key)
  const parent = region === undefined ? {} : { parent: ids.get(region)! }
  const isRegion = become.parts.main?.type === 'for-each'
  return Object.entries(become.parts).map(([name, { type, fields, title, disabled, isInside }], at) => {
    const isMain = at === 0
    const isDisabled = disabled === true || (isMain && node.isDisabled)
    return {
      id: partId(ids.get(node.key)!, name, at),
      type,
      title: (title ?? (isMain ? node.title : `${node.title}: ${name}`)).slice(0, LONGEST_TITLE),
      position: positionOf(node, at, { isOver: isRegion && isInside !== true }),
      fields: resolveOwn(fields, ids.get(node.key)!),
      ...(isMain ? node.extras : {}),
      ...(isDisabled && { disabled: true }),
      ...(isInside === true ? { parent: ids.get(node.key)! } : parent)
    }
  })
}

/** What belongs to a region stands over its frame, and not in it. */
function positionOf({ x, y }: SourceNode, at: number, { isOver }: { isOver: boolean }) {
  if (at > 0 && isOver) return { x: placed(x + (at - 1) * OVER.x), y: placed(y + OVER.y) }
  return { x: placed(x + at * BELOW.x), y: placed(y + at * BELOW.y) }
}

/** What nodes that were none there have to say, by the key of the node that they were made for. */
function* notesBeside(
  nodes: readonly SourceNode[],
  assembly: Assembly,
  missing: ReadonlyMap<string, readonly string[]>
): Turns<Map<string, string[]>> {
  const beside = new Map<string, string[]>()
  for (const node of nodes) {
    yield
    const become = assembly.becomes.get(node.key)
    if (node.madeFor === undefined || become === undefined) continue
    const { note } = withOmissions(reportOf(node, become, assembly), { missing: missing.get(node.key) })
    if (note === '') continue
    const told = `Beside it stands ${JSON.stringify(node.title)}: ${note}`
    beside.set(node.madeFor, [...(beside.get(node.madeFor) ?? []), told])
  }
  return beside
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
    note: withoutSecrets(note)
  }
}

function reportOfAbsorbed(
  node: SourceNode,
  { into, note, verdict, isLent }: Absorbed,
  { ids, becomes }: Assembly
): NodeReport {
  const become = becomes.get(into)
  const [main] = Object.values(become?.parts ?? {})
  const isLost = isLent === true && main?.type === 'placeholder'
  return {
    node: ids.get(into) ?? '',
    title: node.title,
    was: node.type,
    became: main?.type ?? '',
    verdict: isLost ? 'placeholder' : verdict,
    note: isLost ? 'It was lent to a node that nothing stands for yet: set it there.' : note
  }
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
