import type { Turns } from '../../flows/in-turns.ts'
import type { ImportedFlow, ImportHelp } from '../imported-flow.ts'
import { listOf, type Members, membersIn, membersOf, textOf } from '../values.ts'
import { flowOfPiece } from './flow-of-piece.ts'
import type { Names, PlaceOfFlow, Variant } from './place-of-flow.ts'
import { envOf, type RedFile, type RedNode, redFile } from './red-node.ts'
import { piecesOf } from './starts.ts'
import { linksOf, wiringOf } from './wiring.ts'

/** Of subflows with settings of their own. */
const MOST_VARIANTS = 100

/** A file of Node-RED: each tab is a flow, and each way into it beyond the first is one more; so are subflows. */
export function* readNodeRed(members: readonly Members[], help: ImportHelp): Turns<ImportedFlow[]> {
  const file = redFile(members)
  yield
  const names = slugsOf(file, help)
  const flows: ImportedFlow[] = []
  for (const { id, name, info, isDisabled, env } of file.tabs) {
    const place: PlaceOfFlow = { id, name, info, isDisabled, env: merged(file.env, env), file, ...names }
    flows.push(...(yield* flowsOf(place, help)))
  }
  for (const variant of names.variants) {
    const { name, info } = file.subflows.get(variant.subflow)!
    const place: PlaceOfFlow = {
      id: variant.subflow,
      name,
      info,
      isDisabled: false,
      env: merged(file.env, variant.env),
      file,
      subflow: variant,
      ...names
    }
    flows.push(...(yield* flowsOf(place, help)))
  }
  return flows
}

function* flowsOf(place: PlaceOfFlow, help: ImportHelp): Turns<ImportedFlow[]> {
  const { file, id, subflow, calledIn } = place
  const all = file.nodes.get(id) ?? []
  const called = all.filter((node) => calledIn.has(node.id))
  const wiring = yield* wiringOf(all, new Set(calledIn.keys()))
  yield
  const byId = new Map(wiring.nodes.map((node) => [node.id, node]))
  const entered = membersIn(listOf(subflow?.raw.in)).flatMap((each) =>
    membersIn(each.wires).flatMap((wire) => byId.get(textOf(wire.id)) ?? [])
  )
  const pieces = piecesOf(
    wiring,
    called.map((node) => [node])
  )
  const flows: ImportedFlow[] = []
  for (const [at, piece] of pieces.entries()) {
    const isFirst = at === 0
    flows.push(
      yield* flowOfPiece(piece, wiring, { ...place, isFirst, entered: isFirst ? entered : [] }, help)
    )
  }
  return flows
}

/** Flows name each other, so their slugs are chosen before any is written. */
function slugsOf(file: RedFile, help: ImportHelp): Names {
  const nodes = new Map([...file.nodes.values()].flat().map((node) => [node.id, node]))
  const calledIn = new Map<string, string>()
  const runs = new Map<string, string>()
  for (const node of nodes.values()) {
    const isCall = node.type === 'link call'
    if (!isCall && (node.type !== 'link out' || node.raw.mode === 'return')) continue
    const [other] = linksOf(node)
      .map((id) => nodes.get(id))
      .filter((target) => target?.type === 'link in' && (isCall || target.place !== node.place))
    if (other === undefined) continue
    if (!calledIn.has(other.id)) calledIn.set(other.id, help.slugFor(other.title))
    runs.set(node.id, calledIn.get(other.id)!)
  }
  return { calledIn, runs, variants: variantsOf(file, { nodes, runs }, help) }
}

/** A subflow that is used with other settings is another flow. */
function variantsOf(
  file: RedFile,
  { nodes, runs }: { nodes: ReadonlyMap<string, RedNode>; runs: Map<string, string> },
  help: ImportHelp
): Variant[] {
  const variants = new Map<string, Variant>()
  const variantOf = (subflow: string, env: ReadonlyMap<string, string>) => {
    const key = `${subflow}\n${JSON.stringify([...env])}`
    const known =
      variants.get(key) ?? (variants.size < MOST_VARIANTS ? undefined : variants.values().next().value)
    if (known !== undefined) return known
    const { name, raw } = file.subflows.get(subflow)!
    const variant = { subflow, env, raw, slug: help.slugFor(name) }
    variants.set(key, variant)
    return variant
  }
  for (const node of nodes.values()) {
    const subflow = node.type.replace(/^subflow:/, '')
    const definition = file.subflows.get(subflow)
    if (definition === undefined || subflow === node.type) continue
    const env = new Map([...envOf(definition.raw.env), ...envOf(node.raw.env)])
    runs.set(node.id, variantOf(subflow, env).slug)
  }
  const used = new Set([...variants.values()].map(({ subflow }) => subflow))
  for (const [id, { raw }] of file.subflows) if (!used.has(id)) variantOf(id, envOf(membersOf(raw).env))
  return [...variants.values()]
}

function merged(...maps: readonly ReadonlyMap<string, string>[]): Map<string, string> {
  return new Map(maps.flatMap((map) => [...map]))
}
