import type { SourceWire } from '../assembled-wires.ts'
import type { Become, Part } from '../become.ts'
import { type RegionWays, type Way, waysCode, waysOf } from '../region-ways.ts'
import { handedOn } from './emptiness.ts'
import type { Items } from './items.ts'

/** By a region that was made: where its items go, with the ends inside that lead there. */
type Ways = ReadonlyMap<string, RegionWays>

/** A For each that n8n does without a node: it gives the items that came of all, one after the other, each the way it went. */
export function eachRegion(all: readonly Way[], takesEmpty: (name: string) => boolean): Become {
  const ways = all.length < 2 ? [] : all
  const code = (list: string, to: readonly string[]) =>
    handedOn(`${list}.flat().filter((item) => item !== null)`, to.some(takesEmpty) ? 'list' : 'stop')
  const first = ways.length === 0 ? 'data' : 'data.map((ways) => ways?.find((item) => item !== null) ?? null)'
  const parts: Record<string, Part> = {
    main: { type: 'for-each', fields: {} },
    list: {
      type: 'code',
      title: 'As a list',
      fields: { code: 'return Array.isArray(data) ? data : [data]' }
    },
    items: {
      type: 'code',
      title: 'All items',
      fields: {
        code: code(
          first,
          all.flatMap(({ to }) => to)
        )
      }
    }
  }
  const links: [string, string][] = [
    ['list.result', 'main.items'],
    ['main.results', 'items.data']
  ]
  if (ways.length > 0) {
    parts.ways = { type: 'code', title: 'Where it goes', isInside: true, fields: { code: waysCode(ways) } }
    links.push(['ways.result', 'main.result'])
  }
  for (const [at, { to }] of ways.entries()) {
    const items = code(`data.map((ways) => ways?.[${at}] ?? null)`, to)
    parts[`way${at}`] = {
      type: 'code',
      title: `Items for ${to.join(', ')}`.slice(0, 200),
      fields: { code: items }
    }
    links.push(['main.results', `way${at}.data`])
  }
  return {
    verdict: 'exact',
    note: '',
    parts,
    links,
    takes: (input) => (input === 'back' ? (ways.length === 0 ? 'main.result' : 'ways.data') : 'list.data'),
    gives: (output) =>
      output === 'item' || output === 'index'
        ? `main.${output}`
        : /^way\d+$/.test(output)
          ? `${output}.result`
          : 'items.result'
  }
}

/** Items that leave a region by different ends go on where these lead, and nowhere else. */
export function waysOut(wires: readonly SourceWire[], { regions, made }: Items): Ways {
  const own = new Set(made.map(({ key }) => key))
  const found = new Map<string, Map<string, { from: string; output: string }[]>>()
  for (const { from, output, to, input } of wires) {
    const region = regions.get(from)
    if (region === undefined || !own.has(region) || regions.get(to) === region || input === 'tools') continue
    if (!found.has(region)) found.set(region, new Map())
    const ends = found.get(region)!
    const end = `${input} ${to}`
    if (!ends.has(end)) ends.set(end, [])
    ends.get(end)!.push({ from, output })
  }
  return new Map([...found].map(([region, ends]) => [region, waysOf(ends)]))
}

/** Wires as they go into regions and out of them. The first of those that one becomes is it; the others are made. */
export function* wiresThrough(
  wires: readonly SourceWire[],
  { regions }: Items,
  ways: Ways
): Generator<SourceWire> {
  const pathOf = (name: string) => {
    const path: string[] = []
    for (
      let region = regions.get(name);
      region !== undefined && path.length < 50;
      region = regions.get(region)
    )
      path.unshift(region)
    return path
  }
  for (const wire of wires) {
    if (wire.input === 'tools') {
      yield wire
      continue
    }
    // A way back into the loop that the node stands in, and what the loop hands to its inside, are at the inside of the loop.
    const from = pathOf(wire.from)
    const to = pathOf(wire.to)
    if (from.at(-1) === wire.to || from.includes(wire.to)) {
      yield* outOf(wire, from.slice(from.indexOf(wire.to) + 1), { to: wire.to, input: 'back' }, ways)
      continue
    }
    const isOfLoop = to.includes(wire.from)
    const shared = isOfLoop ? to.indexOf(wire.from) + 1 : commonOf(from, to)
    const leaving = isOfLoop ? [] : from.slice(shared)
    yield* stepsOf(wire, leaving, to.slice(shared), ways)
  }
}

function commonOf(from: readonly string[], to: readonly string[]): number {
  let shared = 0
  while (shared < from.length && from[shared] === to[shared]) shared++
  return shared
}

/** Out of the regions that it begins in, the innermost first, to an end. */
function* outOf(
  wire: SourceWire,
  regions: readonly string[],
  end: { readonly to: string; readonly input: string },
  ways: Ways
): Generator<SourceWire> {
  let begins = { from: wire.from, output: wire.output }
  let isMade = wire.isMade === true
  for (const region of [...regions].reverse()) {
    yield { ...begins, to: region, input: 'back', ...(isMade && { isMade }) }
    const out = ways.get(region)
    const end = `${wire.input} ${wire.to}`
    const way = out === undefined || out.ways.length < 2 ? -1 : (out.placeOf.get(end) ?? -1)
    begins = { from: region, output: way < 0 ? 'results' : `way${way}` }
    isMade = true
  }
  yield { ...begins, ...end, ...(isMade && { isMade }) }
}

function* stepsOf(
  wire: SourceWire,
  leaving: readonly string[],
  entering: readonly string[],
  ways: Ways
): Generator<SourceWire> {
  const [first, ...others] = entering
  if (first === undefined) return yield* outOf(wire, leaving, { to: wire.to, input: wire.input }, ways)
  yield* outOf(wire, leaving, { to: first, input: 'items' }, ways)
  let region = first
  for (const next of others) {
    yield { from: region, output: 'item', to: next, input: 'items', isMade: true }
    region = next
  }
  yield { from: region, output: 'item', to: wire.to, input: wire.input, isMade: true }
}
