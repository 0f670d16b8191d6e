import type { SourceWire } from '../assembly.ts'
import type { Become } from '../become.ts'
import type { Items } from './items.ts'

/** A For each that n8n does without a node: it gives the items that came of all, one after the other. */
export function eachRegion(): Become {
  return {
    verdict: 'exact',
    note: '',
    parts: {
      main: { type: 'for-each', fields: {} },
      list: {
        type: 'code',
        title: 'As a list',
        fields: { code: 'return Array.isArray(data) ? data : [data]' }
      },
      items: {
        type: 'code',
        title: 'All items',
        fields: { code: 'return data.flat().filter((item) => item !== null)' }
      }
    },
    links: [
      ['list.result', 'main.items'],
      ['main.results', 'items.data']
    ],
    takes: (input) => (input === 'back' ? 'main.result' : 'list.data'),
    gives: (output) => (output === 'item' || output === 'index' ? `main.${output}` : 'items.result')
  }
}

/** Wires as they go into regions and out of them. The first of those that one becomes is it; the others are made. */
export function* wiresThrough(wires: readonly SourceWire[], { regions }: Items): Generator<SourceWire> {
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
      yield* outOf(wire, from.slice(from.indexOf(wire.to) + 1), { to: wire.to, input: 'back' })
      continue
    }
    const isOfLoop = to.includes(wire.from)
    const shared = isOfLoop ? to.indexOf(wire.from) + 1 : commonOf(from, to)
    const leaving = isOfLoop ? [] : from.slice(shared)
    yield* stepsOf(wire, leaving, to.slice(shared))
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
  end: { readonly to: string; readonly input: string }
): Generator<SourceWire> {
  let begins = { from: wire.from, output: wire.output }
  let isMade = wire.isMade === true
  for (const region of [...regions].reverse()) {
    yield { ...begins, to: region, input: 'back', ...(isMade && { isMade }) }
    begins = { from: region, output: 'results' }
    isMade = true
  }
  yield { ...begins, ...end, ...(isMade && { isMade }) }
}

function* stepsOf(
  wire: SourceWire,
  leaving: readonly string[],
  entering: readonly string[]
): Generator<SourceWire> {
  const [first, ...others] = entering
  if (first === undefined) return yield* outOf(wire, leaving, { to: wire.to, input: wire.input })
  yield* outOf(wire, leaving, { to: first, input: 'items' })
  let region = first
  for (const next of others) {
    yield { from: region, output: 'item', to: next, input: 'items', isMade: true }
    region = next
  }
  yield { from: region, output: 'item', to: wire.to, input: wire.input, isMade: true }
}
