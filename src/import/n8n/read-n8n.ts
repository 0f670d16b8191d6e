import type { Turns } from '../../flows/in-turns.ts'
import type { SourceWire } from '../assembled-wires.ts'
import { type Absorbed, assemble, idsFor } from '../assembly.ts'
import { type Become, withPlainFields } from '../become.ts'
import type { Workflow } from '../expressions/code-text.ts'
import type { ImportedFlow, ImportHelp } from '../imported-flow.ts'
import { keyOfOutput } from '../references.ts'
import { type Members, membersOf, numberOf, textOf } from '../values.ts'
import { answeredLists } from './answered-lists.ts'
import { becomeOf } from './become-of.ts'
import { cutCircles, loopsOf, withWays } from './circles.ts'
import { drawRegions } from './draw-regions.ts'
import { eitherOf } from './either.ts'
import { emptinessOf, withoutEmpty } from './emptiness.ts'
import { type followed, tellMore, tellUnread } from './followed-settings.ts'
import { type Items, isOfLists, tellItems } from './items.ts'
import { absorbedOf } from './lent-nodes.ts'
import type { Place } from './mapping.ts'
import { type N8nNode, type N8nWire, readWires } from './n8n-node.ts'
import { noteOf, pinnedOf } from './notes-and-pins.ts'
import { readNodes } from './read-nodes.ts'
import { waysOut, wiresThrough } from './regions.ts'
import { failsOn, sourceNode } from './source-node.ts'
import { toolOf } from './tools.ts'
import { rankOf, triggerOf } from './triggers.ts'
import { gatherWaysBack, oneWayBack } from './ways-back.ts'
import { type ReadNode, Writer } from './writer.ts'

/** A workflow of n8n; tools of its agents are flows of their own behind it. */
export function* readN8n(
  flow: Members,
  help: ImportHelp,
  slugOf: (id: string) => string | undefined = () => undefined
): Turns<ImportedFlow[]> {
  const { all, settings } = yield* readNodes(flow)
  const nodes = settings.map(({ node }) => node)
  const wires = yield* readWires(flow.connections, nodes)
  const allMain = wires.filter(({ kind }) => kind === 'main')
  const lent = Map.groupBy(
    wires.filter(({ kind }) => kind !== 'main'),
    ({ to }) => to
  )
  const byName = new Map(nodes.map((node) => [node.name, node]))
  yield
  const absorbed = absorbedOf(nodes, wires)
  yield
  const { loops, inner } = yield* loopsOf(nodes, allMain)
  const { forward: main, drawn: ends, ways } = yield* cutCircles(nodes, allMain, loops)
  yield
  const isEither = eitherOf(nodes, main)
  yield
  const answered = answeredLists(nodes, main, flow.pinData)
  const items = withWays(yield* tellItems(nodes, main, loops, { isEither, answered }), ways)
  yield
  const { onEmpty, takesEmpty } = emptinessOf(nodes, main)
  const tools: ImportedFlow[] = []
  const becomes = new Map<string, Become>()
  const taken = new Set<string>()
  const around = { from: Map.groupBy(ends, ({ from }) => from), to: Map.groupBy(main, ({ to }) => to) }
  const toolNames = new Set(wires.filter(({ kind }) => kind === 'ai_tool').map(({ from }) => from))
  const workflow = workflowOf(flow)
  const isLent = (name: string) => wiresOf(lent, name)
  for (const node of [...nodes].sort((one, other) => rankOf(one) - rankOf(other))) {
    yield
    if (absorbed.has(node.name)) continue
    const asTool = toolNames.has(node.name)
    const read = asTool ? () => undefined : keyReader(node, { byName, absorbed, items, loops })
    const write = new Writer(node, read, workflow)
    const place = {
      isList: (items.takes.get(node.name) ?? false) && !isOfLists(node),
      isMany: items.takes.get(node.name) ?? false,
      isOneByOne: items.oneByOne.has(node.name),
      lent: (kind: string) =>
        isLent(node.name)
          .filter((wire) => wire.kind === kind)
          .flatMap(({ from }) => byName.get(from) ?? []),
      inputs: inputsOf(around.to.get(node.name), isLent(node.name)),
      outputs: [...new Set((around.from.get(node.name) ?? []).map(({ output }) => output))],
      isEither: node.type === 'merge' && isEither(node.name),
      isInner: inner.has(node.name),
      onEmpty: onEmpty(node),
      slugOf,
      isTaken: (trigger: string) => taken.has(trigger)
    }
    const tool = asTool ? toolOf(node, write, place, help) : undefined
    if (tool?.flow !== undefined) tools.push(tool.flow)
    const become = tool?.become ?? ownOf(node, write, place, items)
    const trigger = triggerOf(become)
    if (trigger !== undefined) taken.add(trigger)
    becomes.set(node.name, withPlainFields(withValues(become, write)))
  }
  const isMany = (name: string) => (items.takes.get(name) ?? false) || items.regions.has(name)
  yield* tellRest(settings, { becomes, absorbed, isMany, ofAll: ofWorkflow(flow.settings) })
  const sources = nodes.map(sourceNode)
  for (const { source, become } of ways) {
    sources.push(source)
    becomes.set(source.key, become)
  }
  yield
  const lentTools = wires.filter(({ from, kind }) => kind === 'ai_tool' && !absorbed.has(from))
  const drawn = [...ends, ...lentTools]
  const failing = errorWires(nodes, around.from)
  const led = [...drawn.map(drawnWire), ...failing]
  const regionWays = waysOut(led, items)
  drawRegions(items, { byName, sources, becomes, regionWays, takesEmpty, sourceNode })
  const passed = yield* allOf(wiresThrough(led, items, regionWays))
  const isOneWay = oneWayBack(nodes, main, loops, items)
  const isGathered = (name: string) =>
    byName.get(name)?.type === 'splitInBatches' && !isOneWay(byName.get(name)!)
  gatherWaysBack(passed, becomes, isGathered)
  const ids = yield* idsFor(sources.map(({ key, title }) => [key, title]))
  return [
    yield* assemble(
      {
        name: nameOf(flow),
        ...slugGiven(slugOf(textOf(flow.id))),
        nodes: sources,
        becomes,
        absorbed,
        wires: passed,
        meant: wires.length - drawn.length,
        notes: all.filter(({ type }) => type === 'stickyNote').map(noteOf),
        ids,
        regions: items.regions,
        pinned: pinnedOf(flow.pinData, items)
      },
      help
    ),
    ...tools
  ]
}

/** Workflows of one file run each other by their ids: each that has one of its own has its slug before any is read. */
export function slugsById(flows: readonly Members[], help: ImportHelp): Map<string, string> {
  const byId = Map.groupBy(flows, ({ id }) => textOf(id))
  const known = [...byId].flatMap(([id, [flow, ...others]]) =>
    id === '' || flow === undefined || others.length > 0 ? [] : [[id, flow] as const]
  )
  return new Map(known.map(([id, flow]) => [id, help.slugFor(nameOf(flow))]))
}

function nameOf({ name }: Members): string {
  return textOf(name).trim() || 'n8n workflow'
}

function slugGiven(slug: string | undefined): { slug?: string } {
  return slug === undefined ? {} : { slug }
}

function* allOf<T>(each: Iterable<T>): Turns<T[]> {
  const all: T[] = []
  for (const one of each) {
    yield
    all.push(one)
  }
  return all
}

function workflowOf({ id, name, settings }: Members): Workflow {
  const timezone = textOf(membersOf(settings).timezone)
  // Of a workflow that has none of its own, `DEFAULT` says so.
  const isOwn = timezone !== '' && timezone !== 'DEFAULT'
  return { id: textOf(id), name: textOf(name), ...(isOwn && { timezone }) }
}

interface Telling {
  readonly becomes: Map<string, Become>
  readonly absorbed: Map<string, Absorbed>
  /** Whether a node gets several items. */
  readonly isMany: (name: string) => boolean
  /** What differs in all runs is said where they begin. */
  readonly ofAll: string
}

/** What differs besides: settings that were not looked at, and those that say how a node or a workflow runs. */
function* tellRest(
  settings: readonly ReturnType<typeof followed>[],
  { isMany, ofAll, ...told }: Telling
): Turns<void> {
  for (const { node, unread } of settings) {
    yield
    tellUnread(node.name, unread(), told)
    if (node.raw.executeOnce === true && isMany(node.name))
      tellMore(node.name, 'It took the first item alone there: here it takes all of them.', told)
    const become = told.becomes.get(node.name)
    if (become !== undefined && triggerOf(become) !== undefined) tellMore(node.name, ofAll, told)
  }
}

/** What its settings say of all its runs. */
function ofWorkflow(settings: unknown): string {
  const { errorWorkflow, executionTimeout } = membersOf(settings)
  const seconds = numberOf(executionTimeout) ?? 0
  const notes = [
    textOf(errorWorkflow) === ''
      ? ''
      : 'Failures started another workflow: name this flow in its Run failed.',
    seconds > 0 ? `Runs were stopped after ${seconds} seconds.` : ''
  ]
  return notes.filter((note) => note !== '').join(' ')
}

function ownOf(node: N8nNode, write: Writer, place: Place, { gives }: Items): Become {
  const become = becomeOf(node, write, place)
  return gives.get(node.name) === true ? withoutEmpty(become, place.onEmpty) : become
}

function wiresOf(lent: ReadonlyMap<string, readonly N8nWire[]>, name: string): readonly N8nWire[] {
  return lent.get(name) ?? []
}

function inputsOf(wires: readonly N8nWire[] = [], lent: readonly N8nWire[]): number[] {
  const inputs = [...new Set(wires.map(({ input }) => input))]
  return lent.some(({ kind }) => kind === 'ai_tool') ? [...inputs, -1] : inputs
}

interface Reading {
  readonly byName: ReadonlyMap<string, N8nNode>
  readonly absorbed: ReadonlyMap<string, unknown>
  readonly items: Items
  readonly loops: ReadonlyMap<string, string>
}

/** Inside a region its list is read as the item that it works on, and of other lists the item that stands at the same place. */
function keyReader(node: N8nNode, reading: Reading): (name: string) => ReadNode | undefined {
  const { byName, absorbed, items, loops } = reading
  const region = items.regions.get(node.name)
  const indexKey = region === undefined ? {} : { indexKey: keyOfOutput(region, 'index') }
  return (name) => {
    if (!byName.has(name) || absorbed.has(name)) return undefined
    if (name === region && loops.get(node.name) === name)
      return { key: keyOfOutput(name, 'item'), isList: false }
    const other = items.regions.get(name)
    if (other !== undefined && other !== region && other !== node.name)
      return { key: keyOfOutput(other, 'results'), isList: true, ...indexKey }
    const isList = items.gives.get(name) === true && other !== region
    if (!isList) return { key: name, isList: items.gives.get(name) === true }
    const isItem = region !== undefined && items.feeds.get(region) === name
    return isItem
      ? { key: keyOfOutput(region, 'item'), isList: false }
      : { key: name, isList: true, ...indexKey }
  }
}

function withValues(become: Become, write: Writer): Become {
  const { values } = write
  if (values === undefined) return become
  const names = Object.keys(become.parts)
  const [main] = names
  const entry = become.takes('0') ?? `${main}.data`
  const isAdapted = write.note !== '' && become.verdict === 'exact'
  return {
    ...become,
    verdict: isAdapted ? 'adapted' : become.verdict,
    note: become.note === '' ? write.note : become.note,
    parts: { ...become.parts, values },
    links: [...(become.links ?? []), ['values.result', entry]]
  }
}

/** Where a failure goes on like any other item. */
function errorWires(
  nodes: readonly N8nNode[],
  leaving: ReadonlyMap<string, readonly N8nWire[]>
): SourceWire[] {
  return nodes
    .filter(({ raw }) => !failsOn(raw) && raw.onError !== 'continueErrorOutput')
    .flatMap(({ name }) =>
      (leaving.get(name) ?? [])
        .filter(({ output }) => output === 0)
        .map(({ to, input }) => ({ from: name, output: 'error', to, input: String(input), isMade: true }))
    )
}

function drawnWire({ from, output, to, input, kind }: N8nWire): SourceWire {
  return { from, output: String(output), to, input: kind === 'ai_tool' ? 'tools' : String(input) }
}
