import { atOnce, type Turns } from '../in-turns.ts'
import { equalInTurns } from '../json/equal-json.ts'

/**
 * What is different between two documents of a flow, node by node. Either may be a draft, so nothing but its lists is
 * taken for granted.
 */
export interface FlowComparison {
  /** Members of the document, such as `name` and `slug`. */
  readonly members: readonly string[]
  readonly nodes: readonly NodeChange[]
  readonly wires: { readonly added: readonly string[]; readonly removed: readonly string[] }
  /** How many notes were added, removed or changed. */
  readonly notes: number
  /** How many nodes and notes only stand elsewhere, or are only drawn differently. */
  readonly moved: number
}

export interface NodeChange {
  readonly kind: 'added' | 'removed' | 'changed'
  readonly node: string
  readonly type: string
  /** As people know it: its own title, or that of its component. */
  readonly title: string
  /** Fields, and members such as `retry`, that have another value. */
  readonly fields: readonly string[]
}

export interface ComparedDocument {
  readonly nodes: readonly object[]
  readonly edges: readonly object[]
  readonly notes?: readonly object[] | undefined
}

type Members = Readonly<Record<string, unknown>>

/** The title of a component, by its type; undefined where nobody knows it. */
type TitleOf = (type: string) => string | undefined

const DRAWN = ['position', 'size', 'collapsed', 'shown_fields', 'colour']
const LISTS = ['nodes', 'edges', 'notes']

export function compareFlows(
  before: ComparedDocument,
  after: ComparedDocument,
  titleOf: TitleOf
): FlowComparison {
  return atOnce(compareInTurns(before, after, titleOf))
}

/** The same for documents that may be long. */
export function* compareInTurns(
  before: ComparedDocument,
  after: ComparedDocument,
  titleOf: TitleOf
): Turns<FlowComparison> {
  const nodes = yield* compareParts(before.nodes, after.nodes)
  const notes = yield* compareParts(before.notes ?? [], after.notes ?? [])
  const [oldWires, newWires] = [wiresIn(before.edges), wiresIn(after.edges)]
  yield
  return {
    members: yield* differing(before as unknown as Members, after as unknown as Members, LISTS),
    nodes: nodes.changes.map(({ kind, part, names }) => ({
      kind,
      node: idOf(part),
      type: String(part.type ?? ''),
      title: String(part.title || titleOf(String(part.type)) || idOf(part)),
      fields: names
    })),
    wires: {
      added: [...newWires].filter((wire) => !oldWires.has(wire)),
      removed: [...oldWires].filter((wire) => !newWires.has(wire))
    },
    notes: notes.changes.length,
    moved: nodes.moved + notes.moved
  }
}

interface PartChange {
  readonly kind: NodeChange['kind']
  readonly part: Members
  readonly names: readonly string[]
}

function* compareParts(
  before: readonly object[],
  after: readonly object[]
): Turns<{ changes: PartChange[]; moved: number }> {
  const old = byId(before)
  const fresh = byId(after)
  const changes: PartChange[] = []
  let moved = 0
  for (const [id, part] of fresh) {
    const was = old.get(id)
    if (was === undefined) {
      changes.push({ kind: 'added', part, names: [] })
      continue
    }
    yield
    const names = yield* namesChanged(was, part)
    if (names.length > 0) changes.push({ kind: 'changed', part, names })
    else if ((yield* differing(was, part, [], DRAWN)).length > 0) moved++
  }
  for (const [id, part] of old) if (!fresh.has(id)) changes.push({ kind: 'removed', part, names: [] })
  return { changes, moved }
}

function* namesChanged(was: Members, part: Members): Turns<string[]> {
  const fields = yield* differing(membersOf(was.fields), membersOf(part.fields), [])
  return [...fields, ...(yield* differing(was, part, ['fields', ...DRAWN]))]
}

function* differing(
  before: Members,
  after: Members,
  leftOut: readonly string[],
  names: Iterable<string> = new Set([...Object.keys(before), ...Object.keys(after)])
): Turns<string[]> {
  const found: string[] = []
  for (const name of names) {
    if (leftOut.includes(name) || Object.is(before[name], after[name])) continue
    if (!(yield* equalInTurns(before[name], after[name]))) found.push(name)
  }
  return found
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

function byId(parts: readonly object[]): Map<string, Members> {
  return new Map(parts.map((part) => [idOf(part as Members), part as Members]))
}

function idOf({ id }: Members): string {
  return typeof id === 'string' ? id : ''
}

function wiresIn(edges: readonly object[]): Set<string> {
  return new Set(edges.map((edge) => `${(edge as Members).from} → ${(edge as Members).to}`))
}
