import type { Turns } from '../../flows/in-turns.ts'
import type { SourceWire } from '../assembled-wires.ts'
import { assemble, idsFor, type SourceNode } from '../assembly.ts'
import type { Become } from '../become.ts'
import type { ImportedFlow, ImportHelp } from '../imported-flow.ts'
import { codeReference, keyOfOutput } from '../references.ts'
import { cronOf } from './common.ts'
import { headersIn } from './headers.ts'
import { madeNodes, pausedWires } from './made-nodes.ts'
import type { Place } from './mapping.ts'
import { notesOf } from './notes.ts'
import type { PlaceOfPiece } from './place-of-flow.ts'
import { type Instance, type Spread, spread } from './spread.ts'
import type { Piece } from './starts.ts'
import { toldBecome } from './told-settings.ts'
import type { Wiring } from './wiring.ts'
import { Writer } from './writer.ts'

/** One flow, of all that one set of ways in reaches. */
export function* flowOfPiece(
  piece: Piece,
  wiring: Wiring,
  place: PlaceOfPiece,
  help: ImportHelp
): Turns<ImportedFlow> {
  const drawn = yield* spread(wiring, piece.nodes)
  const made = madeNodes(piece, drawn, place)
  const caught = new Set(drawn.wires.filter(({ output }) => output === 'error').map(({ from }) => from))
  const sources: SourceNode[] = [
    ...drawn.instances.map((each) => sourceNode(each, place, caught.has(each.key))),
    ...made.sources
  ]
  const ids = yield* idsFor(sources.map(({ key, title }) => [key, title]))
  const wires = [...made.wires, ...drawn.wires]
  const becomes = new Map<string, Become>(made.becomes)
  const coming = Map.groupBy(wires, ({ to }) => to)
  const about = aboutPiece(piece, wiring, place, { drawn, ids, coming })
  for (const instance of drawn.instances) {
    yield
    const writer = new Writer(instance.node, { flow: place.name, env: (name) => place.env.get(name) })
    const become = withCopyNote(toldBecome(instance.node, writer, about(instance)), instance)
    becomes.set(instance.key, caught.has(instance.key) ? withError(become) : become)
  }
  const region = new Map(
    drawn.instances.flatMap(({ key, region: of }) => (of === undefined ? [] : [[key, of]]))
  )
  for (const [key, { from }] of drawn.backs) if (from.region !== undefined) region.set(key, from.region)
  for (const each of drawn.regions) if (each.isPaused) region.set(`${each.key} pause`, each.key)
  const members = new Set(piece.nodes.map(({ id }) => id))
  const absorbed = place.isFirst ? absorbedOf(wiring, members) : { nodes: [], absorbed: new Map() }
  return yield* assemble(
    {
      name: piece.name === '' ? place.name : `${place.name}: ${piece.name}`,
      ...slugOf(piece, place),
      ...(place.isFirst && place.info !== '' && { description: place.info }),
      nodes: [...sources, ...absorbed.nodes],
      becomes,
      absorbed: absorbed.absorbed,
      wires: pausedWires(wires, drawn.regions),
      meant: place.isFirst ? wiring.meant : 0,
      notes: place.isFirst ? notesOf(place.file, place.id) : [],
      ids,
      regions: region
    },
    help
  )
}

/** A slug that other flows name already. */
function slugOf({ starts }: Piece, { subflow, calledIn, isFirst }: PlaceOfPiece): { slug?: string } {
  if (subflow !== undefined && isFirst) return { slug: subflow.slug }
  const [start] = starts
  const slug = start?.kind === 'called' ? calledIn.get(start.nodes[0]!.id) : undefined
  return slug === undefined ? {} : { slug }
}

function sourceNode({ key, node, isCopy }: Instance, place: PlaceOfPiece, isCaught: boolean): SourceNode {
  const { type, title, x, y, isDisabled } = node
  return {
    key,
    type,
    title,
    x: isCopy ? x + 40 : x,
    y: isCopy ? y + 40 : y,
    // What is disabled passes nothing there: that is said by what it becomes.
    isDisabled: place.isDisabled && !isDisabled,
    ...(isCopy && { isMade: true }),
    ...(isCaught && { extras: { on_error: 'output' } })
  }
}

/** What goes wrong leaves by an output of its own. */
function withError(become: Become): Become {
  return { ...become, gives: (output) => (output === 'error' ? 'main.error' : become.gives(output)) }
}

function withCopyNote(become: Become, { several }: Instance): Become {
  if (several.size === 0 || become.verdict === 'placeholder') return become
  const note = 'What follows stands in a For each, and runs for each message.'
  return { ...become, verdict: 'adapted', note: `${note} ${become.note}`.trim() }
}

interface Drawn {
  readonly drawn: Spread
  readonly ids: ReadonlyMap<string, string>
  readonly coming: ReadonlyMap<string, readonly SourceWire[]>
}

/** What each node may ask of its flow. */
function aboutPiece(piece: Piece, wiring: Wiring, place: PlaceOfPiece, { drawn, ids, coming }: Drawn) {
  const headers = headersIn(piece.nodes)
  const isAnswered = piece.nodes.some(({ type }) => type === 'http response')
  const ways = waysOf(piece)
  const byKey = new Map(drawn.instances.map((instance) => [instance.key, instance]))
  const served = new Set(piece.starts.flatMap(({ nodes }) => nodes.map(({ id }) => id)))
  return (instance: Instance): Place => {
    const { key, node } = instance
    const way = ways.get(node.id)
    const comes = coming.get(key) ?? []
    return {
      ...(way !== undefined && { way }),
      isServed: served.has(node.id) || wiring.nodes.length === 0,
      sources: comes
        .filter(({ output }) => output === 'error')
        .map(({ from }) => {
          const { title, type } = byKey.get(from)!.node
          return { id: ids.get(from)!, title, type, message: messageTo(from, coming) }
        }),
      isList: drawn.lists.has(key),
      inputs: comes.length,
      isInRegion: instance.region !== undefined,
      headers,
      isAnswered,
      flowOf: (id) => place.runs.get(id),
      config: (id) => place.file.configs.get(id)
    }
  }
}

/** The message that a node got, by whichever of its wires it came. */
function messageTo(key: string, coming: ReadonlyMap<string, readonly SourceWire[]>): string {
  const reads = (coming.get(key) ?? [])
    .filter(({ output }) => output !== 'error' && !output.startsWith('lost'))
    .slice(0, 10)
    .map(({ from, output }) => codeReference(keyOfOutput(from, output)))
  return reads.length === 0 ? 'undefined' : reads.join(' ?? ')
}

function waysOf({ starts }: Piece): Map<string, Place['way']> {
  const ways = new Map<string, Place['way']>()
  for (const start of starts) {
    const isOne = start.nodes.length === 1
    for (const node of start.nodes) {
      const clock = cronOf(node)
      if (start.kind === 'schedule' && clock !== undefined) ways.set(node.id, { kind: 'schedule', ...clock })
      if (start.kind === 'asked')
        ways.set(node.id, {
          kind: 'asked',
          asked: isOne ? 'any payload' : `the payload {"inject": ${JSON.stringify(node.title)}}`
        })
    }
  }
  return ways
}

/** Links and junctions are wires now. */
function absorbedOf({ contracted }: Wiring, members: ReadonlySet<string>) {
  const absorbed = new Map<string, { into: string; note: string; verdict: 'exact' }>()
  const nodes: SourceNode[] = []
  for (const [id, into] of contracted) {
    if (!members.has(into)) continue
    absorbed.set(id, { into, note: 'It is a wire.', verdict: 'exact' })
    nodes.push({ key: id, type: 'link', title: id, x: 0, y: 0, isDisabled: false })
  }
  return { nodes, absorbed }
}
