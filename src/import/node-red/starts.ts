import { cronOf } from './common.ts'
import type { RedNode } from './red-node.ts'
import type { Wiring } from './wiring.ts'

/** How runs of a flow begin: a flow has one Webhook and one Schedule. */
export type Start =
  | { readonly kind: 'http'; readonly nodes: readonly RedNode[] }
  /** Injects that people press, all by one Webhook. */
  | { readonly kind: 'asked'; readonly nodes: readonly RedNode[] }
  | { readonly kind: 'schedule'; readonly nodes: readonly RedNode[] }
  /** Another flow runs it. */
  | { readonly kind: 'called'; readonly nodes: readonly RedNode[] }

/** What becomes one flow of a tab. */
export interface Piece {
  /** What it is called by, besides the tab; empty for the first. */
  readonly name: string
  readonly starts: readonly Start[]
  readonly nodes: readonly RedNode[]
}

/** A tab with several ways in is several flows; nodes that more than one of them reaches are in each. */
export function piecesOf(wiring: Wiring, called: readonly (readonly RedNode[])[]): Piece[] {
  const { nodes } = wiring
  const injects = nodes.filter(({ type }) => type === 'inject')
  const asked = injects.filter((node) => cronOf(node) === undefined)
  const webs: Start[] = nodes
    .filter(({ type }) => type === 'http in')
    .map((node) => ({ kind: 'http', nodes: [node] }))
  if (asked.length > 0) webs.push({ kind: 'asked', nodes: asked })
  const clocks: Start[] = injects
    .filter((node) => cronOf(node) !== undefined)
    .map((node) => ({ kind: 'schedule', nodes: [node] }))
  const count = Math.max(1, webs.length, clocks.length)
  const sets = Array.from({ length: count }, (_, at) =>
    [webs[at], clocks[at]].filter((start) => start !== undefined)
  )
  const others = [...sets.slice(1), ...called.map((each): Start[] => [{ kind: 'called', nodes: each }])]
  return divided(wiring, sets[0]!, others)
}

/** Of nodes that are in several flows. */
const MOST_COPIES = 3
const MOST_PIECES = 200

function divided(wiring: Wiring, first: readonly Start[], others: readonly (readonly Start[])[]): Piece[] {
  const { nodes } = wiring
  const reached = new Set<string>()
  const pieces: Piece[] = []
  let left = nodes.length * MOST_COPIES + 200
  for (const starts of others.slice(0, MOST_PIECES)) {
    const begin = starts.flatMap((start) => start.nodes)
    const ids = reachedFrom(begin, wiring, left)
    // What would be too much stays in the first flow, which says so.
    if (ids === undefined) continue
    left -= ids.size
    const isCalled = starts.some(({ kind }) => kind === 'called')
    for (const id of ids) reached.add(id)
    pieces.push({
      name: isCalled ? (begin[0]?.title ?? '') : nameOf(starts),
      starts,
      nodes: nodes.filter(({ id }) => ids.has(id))
    })
  }
  const begin = first.flatMap((start) => start.nodes)
  const own = nodes.filter(({ id }) => !reached.has(id))
  const main = reachedFrom([...begin, ...own], wiring, Number.POSITIVE_INFINITY)!
  return [{ name: '', starts: first, nodes: nodes.filter(({ id }) => main.has(id)) }, ...pieces]
}

function nameOf(starts: readonly Start[]): string {
  const [web] = starts
  return web?.kind === 'asked' && web.nodes.length > 1 ? 'by hand' : (web?.nodes[0]?.title ?? '')
}

function reachedFrom(begin: readonly RedNode[], wiring: Wiring, most: number): Set<string> | undefined {
  const reached = new Set(begin.map(({ id }) => id))
  for (const id of reached) {
    if (reached.size > most) return undefined
    for (const { to } of wiring.leaving.get(id) ?? []) reached.add(to)
  }
  return reached
}
