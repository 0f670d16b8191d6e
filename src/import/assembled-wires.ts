import type { Turns } from '../flows/in-turns.ts'
import type { Become } from './become.ts'
import type { LostWire } from './report-notes.ts'

export interface SourceWire {
  readonly from: string
  readonly output: string
  readonly to: string
  readonly input: string
  /** It was no wire there. */
  readonly isMade?: boolean
}

interface Edge {
  readonly from: string
  readonly to: string
}

/** What every node became, and the ids of that, by the key of the node. */
interface Known {
  readonly becomes: ReadonlyMap<string, Become>
  readonly ids: ReadonlyMap<string, string>
}

interface Edges {
  readonly edges: Edge[]
  readonly kept: number
  /** Wires that nothing here stands for. */
  readonly left: readonly SourceWire[]
}

export function* edgesOf(wires: readonly SourceWire[], { becomes, ids }: Known): Turns<Edges> {
  const edges: Edge[] = []
  const known = new Set<string>()
  const add = (from: string, to: string) => {
    if (known.has(`${from} ${to}`)) return
    known.add(`${from} ${to}`)
    edges.push({ from, to })
  }
  let kept = 0
  const left: SourceWire[] = []
  for (const wire of wires) {
    yield
    const { from, output, to, input, isMade } = wire
    const gives = becomes.get(from)?.gives(output)
    const begins = endIn(gives, from, { becomes, ids })
    const ends = endIn(becomes.get(to)?.takes(input), to, { becomes, ids })
    if (isMade !== true) {
      if (begins === undefined || ends === undefined) left.push(wire)
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
  return { edges, kept, left }
}

/** Told at the node that is there: at its end, where that takes none. */
export function* lostByNode(
  left: readonly SourceWire[],
  titles: ReadonlyMap<string, string>,
  { becomes, ids }: Known
): Turns<Map<string, LostWire[]>> {
  const lost = new Map<string, LostWire[]>()
  if (left.length === 0) return lost
  for (const { from, to, input } of left) {
    yield
    const isEnd = endIn(becomes.get(to)?.takes(input), to, { becomes, ids }) === undefined && becomes.has(to)
    const [at, side, other] = isEnd ? ([to, 'from', from] as const) : ([from, 'to', to] as const)
    lost.set(at, [...(lost.get(at) ?? []), { side, title: titles.get(other) ?? other }])
  }
  return lost
}

/** Among the parts of each node. */
function* linksIn(known: Known): Generator<readonly [from: string, to: string]> {
  for (const [key, { links = [] }] of known.becomes)
    for (const [from, to] of links) {
      const begins = endIn(from, key, known)
      const ends = endIn(to, key, known)
      if (begins !== undefined && ends !== undefined) yield [begins, ends]
    }
}

/** `main.data` of a node as `parser-1.data`. */
export function endIn(end: string | undefined, key: string, { becomes, ids }: Known): string | undefined {
  if (end === undefined) return undefined
  const dot = end.indexOf('.')
  const [name, port] = [end.slice(0, dot), end.slice(dot + 1)]
  const at = Object.keys(becomes.get(key)?.parts ?? {}).indexOf(name)
  const id = ids.get(key)
  return at < 0 || id === undefined ? undefined : `${partId(id, name, at)}.${port}`
}
export function partId(id: string, name: string, at: number): string {
  return at === 0 ? id : `${id}-${name}`
}
