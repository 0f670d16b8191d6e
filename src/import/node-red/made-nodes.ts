import type { SourceWire } from '../assembled-wires.ts'
import type { SourceNode } from '../assembly.ts'
import { type Become, type Part, single } from '../become.ts'
import { OWN_ID } from '../references.ts'
import { type RegionWays, waysCode, waysOf } from '../region-ways.ts'
import { listOf, membersIn, textOf } from '../values.ts'
import { wayBack } from '../way-back.ts'
import { CALLED } from './passages.ts'
import type { PlaceOfPiece } from './place-of-flow.ts'
import type { Region, Spread } from './spread.ts'
import type { Piece, Start } from './starts.ts'

const START = 'made start'
const CHOOSE = 'made choice'

interface Made {
  readonly sources: SourceNode[]
  readonly wires: SourceWire[]
  readonly becomes: [string, Become][]
}

interface Near {
  readonly x: number
  readonly y: number
  readonly madeFor?: string
}

/** Nodes that were none there: what starts a flow, its For each, and what it gives back. */
export function madeNodes(piece: Piece, drawn: Spread, place: PlaceOfPiece): Made {
  const made: Made = { sources: [], wires: [], becomes: [] }
  const add = (key: string, title: string, near: Near, become: Become) => {
    made.sources.push({ key, type: '', title, ...near, isDisabled: false, isMade: true })
    made.becomes.push([key, become])
  }
  const wire = (from: string, output: string, to: string, input = '0') =>
    made.wires.push({ from, output, to, input, isMade: true })
  for (const start of piece.starts) addStart(start, { add, wire })
  if (place.entered.length > 0) {
    const [first] = place.entered
    add(START, CALLED.title!, { x: first!.x - 320, y: first!.y }, single(CALLED, { gives: 'data' }))
    for (const { id } of place.entered) wire(START, '0', id)
  }
  for (const region of drawn.regions) {
    const { node } = region.of
    const near = { x: node.x + 60, y: node.y + 60 }
    add(
      region.key,
      `Each message of ${node.title}`,
      near,
      eachMessage(waysOf(drawn.exits.get(region.key) ?? new Map()))
    )
    if (region.isPaused) {
      const pause: Part = { type: 'delay', title: 'Its time', fields: { for: '{_wait}' } }
      add(`${region.key} pause`, 'Its time', near, single(pause, { takes: 'data', gives: 'data' }))
    }
  }
  for (const [key, { to, from }] of drawn.backs)
    add(
      key,
      `Back to ${to.title}`,
      { x: from.node.x + 200, y: from.node.y + 80, madeFor: from.key },
      wayBack(to.title, 'Node-RED')
    )
  if (place.isFirst) addOutputs(piece, place, { add, wire })
  return made
}

interface Adding {
  readonly add: (key: string, title: string, near: { x: number; y: number }, become: Become) => void
  readonly wire: (from: string, output: string, to: string, input?: string) => void
}

function addStart({ kind, nodes }: Start, { add, wire }: Adding): void {
  const [first, ...others] = nodes
  if (first === undefined || (kind !== 'asked' && kind !== 'called')) return
  const near = { x: first.x - 320, y: first.y }
  if (kind === 'called' || others.length === 0) {
    const part: Part = kind === 'called' ? CALLED : { type: 'webhook', fields: {} }
    add(START, kind === 'called' ? CALLED.title! : 'By hand', near, single(part, { gives: 'data' }))
    wire(START, '0', first.id)
    return
  }
  const cases = nodes.slice(0, 50).map(({ title }, at) => `${at + 1} ${title}`.slice(0, 100))
  add(
    START,
    'By hand',
    { x: near.x - 320, y: near.y },
    single({ type: 'webhook', fields: {} }, { gives: 'data' })
  )
  const code = `const asked = data?.inject
const names = ${JSON.stringify(nodes.slice(0, 50).map(({ title }) => title))}
const at = typeof asked === 'number' ? asked - 1 : names.indexOf(asked)
return String((at < 0 ? 0 : at) + 1)`
  add(CHOOSE, 'Which one', near, {
    verdict: 'exact',
    note: '',
    parts: {
      main: {
        type: 'switch',
        fields: { value: `{$nodes.${OWN_ID}-asked.result}`, cases: cases.map((_, at) => `${at + 1}`) }
      },
      asked: { type: 'code', title: 'What is asked for', fields: { code } }
    },
    links: [['asked.result', 'main.data']],
    feeds: ['asked.data'],
    takes: () => 'main.data',
    gives: (output) => `main.${output}`
  })
  wire(START, '0', CHOOSE)
  for (const [at, { id }] of nodes.slice(0, 50).entries()) wire(CHOOSE, String(at + 1), id)
}

/** What a subflow sends by its outputs is given back by output. */
function addOutputs(piece: Piece, place: PlaceOfPiece, { add, wire }: Adding): void {
  const outputs = membersIn(listOf(place.subflow?.raw.out)).slice(0, 10)
  if (outputs.length === 0) return
  const x = Math.max(0, ...piece.nodes.map((node) => node.x)) + 320
  const isOne = outputs.length === 1
  add(
    'made return',
    'What it gives back',
    { x: x + 320, y: 0 },
    single({ type: 'return', fields: {} }, { takes: 'data' })
  )
  if (!isOne) {
    const merge: Part = { type: 'merge', fields: { mode: 'Combine', inputs: outputs.length } }
    add(
      'made outputs',
      'All outputs',
      { x: x + 160, y: 0 },
      {
        ...single(merge, { gives: 'data' }),
        takes: (input) => `main.in_${Number(input) + 1}`
      }
    )
    wire('made outputs', '0', 'made return')
  }
  const members = new Set(piece.nodes.map(({ id }) => id))
  for (const [at, output] of outputs.entries()) {
    const key = `made output ${at + 1}`
    const code = `return { o${at}: data }`
    add(
      key,
      `Output ${at + 1}`,
      { x, y: at * 120 },
      single({ type: 'code', fields: { code } }, { takes: 'data', gives: 'result' })
    )
    wire(key, '0', isOne ? 'made return' : 'made outputs', String(at))
    for (const end of membersIn(output.wires)) {
      const from = textOf(end.id)
      if (from === place.id) wire(START, '0', key)
      else if (members.has(from)) wire(from, textOf(end.port) || '0', key)
    }
  }
}

/** A For each over messages, one after the other as Node-RED sends them. */
function eachMessage({ ways, placeOf }: RegionWays): Become {
  const parts: Record<string, Part> = {
    main: { type: 'for-each', fields: {} },
    list: {
      type: 'code',
      title: 'The messages',
      fields: {
        code: 'return (Array.isArray(data) ? data.flat(Infinity) : [data]).filter((each) => each !== null && each !== undefined)'
      }
    }
  }
  const links: [string, string][] = [['list.result', 'main.items']]
  const isParted = ways.length > 1
  if (isParted) {
    parts.ways = { type: 'code', title: 'Where it goes', isInside: true, fields: { code: waysCode(ways) } }
    links.push(['ways.result', 'main.result'])
    for (const at of ways.keys()) {
      const code = `return data.map((ways) => ways?.[${at}] ?? null)`
      parts[`way${at}`] = { type: 'code', title: `Messages of way ${at + 1}`, fields: { code } }
      links.push(['main.results', `way${at}.data`])
    }
  }
  return {
    verdict: 'exact',
    note: '',
    parts,
    links,
    takes: (input) => (input === 'back' ? (isParted ? 'ways.data' : 'main.result') : 'list.data'),
    gives: (output) => {
      if (output === 'item') return 'main.item'
      return isParted ? `way${placeOf.get(output) ?? 0}.result` : 'main.results'
    }
  }
}

/** Turns that wait do so before what stands in them. */
export function pausedWires(wires: readonly SourceWire[], regions: readonly Region[]): SourceWire[] {
  const paused = new Set(regions.filter(({ isPaused }) => isPaused).map(({ key }) => key))
  const led = new Set<string>()
  return wires.flatMap((wire) => {
    if (!paused.has(wire.from) || wire.output !== 'item') return [wire]
    const pause = `${wire.from} pause`
    const isFirst = !led.has(pause)
    led.add(pause)
    const before = { from: wire.from, output: 'item', to: pause, input: '0', isMade: true }
    return [...(isFirst ? [before] : []), { ...wire, from: pause, output: '0' }]
  })
}
