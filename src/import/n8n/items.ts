import type { Turns } from '../../flows/in-turns.ts'
import { membersOf, textOf } from '../values.ts'
import { appCall } from './apps/app-request.ts'
import { isOfEarlierRuns } from './duplicates.ts'
import { type MergeKind, mergeKind } from './merge-kind.ts'
import { batchSize, type N8nNode, type N8nWire } from './n8n-node.ts'
import { givesOf } from './returned.ts'

/**
 * n8n hands on lists of items, and most of its nodes run once for each. Here a wire carries a value. So it is told from the nodes
 * before whether one item comes or several: one is handed on as it is; of several a node takes the list as a whole, or stands in a
 * For each.
 */
export interface Items {
  /** Whether what a node gives is a list. */
  readonly gives: ReadonlyMap<string, boolean>
  /** Whether what it gets is one, as it stands. */
  readonly takes: ReadonlyMap<string, boolean>
  /** By node, the region that it stands in: a loop of the flow, or one that was made. */
  readonly regions: ReadonlyMap<string, string>
  /** Loops whose inside works on each item by itself, however many it is given at a time. */
  readonly oneByOne: ReadonlySet<string>
  /** By a region that was made, the one node whose items it takes. */
  readonly feeds: ReadonlyMap<string, string>
  /** Those that were made, with where they stand themselves. */
  readonly made: readonly { readonly key: string; readonly first: string }[]
}

/** They take all items at once. */
const OF_LISTS = new Set([
  'aggregate',
  'summarize',
  'sort',
  'limit',
  'removeDuplicates',
  'splitOut',
  'itemLists',
  'merge',
  'splitInBatches',
  'compareDatasets',
  'convertToFile',
  'spreadsheetFile',
  'respondToWebhook',
  'executeWorkflow',
  'noOp',
  'wait',
  'executionData',
  'stopAndError',
  'ai:memoryManager'
])
/** Of several items they give one. */
const TO_ONE = new Set(['aggregate', 'convertToFile'])
/** They give several. */
const TO_MANY = new Set([
  'splitOut',
  'itemLists',
  'sort',
  'removeDuplicates',
  'rssFeedRead',
  'compareDatasets'
])
/** What they compute they compute of lists too. */
const PURE = new Set([
  'set',
  'code',
  'function',
  'functionItem',
  'renameKeys',
  'filter',
  'html',
  'dateTime',
  'crypto',
  'xml',
  'markdown'
])
/** Of these the code does it for each item. */
const PER_ITEM_CODE = new Set(['set', 'renameKeys', 'filter'])

export function isOfLists(node: N8nNode): boolean {
  const { type, params } = node
  if (type === 'code') return params.mode !== 'runOnceForEachItem'
  if (type === 'html') return textOf(params.operation) === 'convertToHtmlTable'
  if (type === 'removeDuplicates') return !isOfEarlierRuns(node)
  if (type === 'executeWorkflow') return params.mode !== 'each'
  return type === 'function' || OF_LISTS.has(type)
}

/** Whether it works on a list by itself, where its code can. */
function isPure(node: N8nNode): boolean {
  const { type, params } = node
  if (type === 'code') return true
  if (type === 'html')
    return textOf(params.operation) === 'generateHtmlTemplate' || params.operation === undefined
  return PURE.has(type) && (PER_ITEM_CODE.has(type) || type === 'function' || type === 'functionItem')
}

/** Whether a node gives several items of what it gets. */
function givesMany(node: N8nNode, isMany: boolean): boolean {
  const { type, params } = node
  if (type === 'code' || type === 'function') return codeGivesMany(node, isMany)
  if (type === 'limit') return (Number(params.maxItems ?? 1) || 1) !== 1
  if (type === 'summarize')
    return textOf(params.fieldsToSplitBy) !== '' && membersOf(params.options).outputFormat !== 'singleItem'
  if (type === 'merge') return mergeGivesMany(mergeKind(params), isMany)
  if (
    TO_ONE.has(type) ||
    (type === 'itemLists' && /^(?:aggregate|concatenate)Items$/.test(textOf(params.operation)))
  )
    return false
  if (type === 'removeDuplicates' && isOfEarlierRuns(node)) return isMany
  return isMany || readsMany(node)
}

function codeGivesMany(node: N8nNode, isMany: boolean): boolean {
  if (!isOfLists(node)) return isMany
  const given = givesOf(textOf(node.params.jsCode ?? node.params.functionCode))
  return given === 'many' || (given === 'same' && isMany)
}

function mergeGivesMany(kind: MergeKind, isMany: boolean): boolean {
  if (kind === 'position' || kind === 'branch') return isMany
  return kind !== 'empty'
}

/** Whatever it gets. */
function readsMany(node: N8nNode): boolean {
  const app = appCall(node)
  if (app !== undefined) return app.call.isMany === true
  return TO_MANY.has(node.type) || READS_MANY.test(`${node.type}/${textOf(node.params.operation)}`)
}

/** Nodes of services that answer with a list. */
const READS_MANY =
  /^(?:(?:googleSheets\/(?:read|)|airtable\/(?:search|list)|.+\/getAll|.+\/search|.+\/select|(?:postgres|mySql|microsoftSql|mongoDb)\/(?:executeQuery|select|find|aggregate|))$)/

/** `order`: of the nodes, each behind those that lead to it, as far as loops allow. `loops`: by node, the loop that it stands in. */
export function* tellItems(
  nodes: readonly N8nNode[],
  wires: readonly N8nWire[],
  loops: ReadonlyMap<string, string>,
  { isEither, answered }: { isEither: (name: string) => boolean; answered: ReadonlySet<string> }
): Turns<Items> {
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const coming = Map.groupBy(wires, ({ to }) => to)
  const gives = new Map<string, boolean>()
  const takes = new Map<string, boolean>()
  const regions = new Map(loops)
  const made: { key: string; first: string }[] = []
  const feeds = new Map<string, string>()
  const oneByOne = loopsOfSingles(nodes, loops)
  const isMade = new Set<string>()
  /** By node, the regions that what it gets has come out of: nothing leads back into these. */
  const outOf = new Map<string, Set<string>>()
  const sourcesOf = (name: string) =>
    (coming.get(name) ?? []).filter(({ from, to }) => !isBack(from, to, loops))
  const decide = (name: string) => {
    const node = byName.get(name)!
    const sources = sourcesOf(name)
    const around = loops.get(name)
    const inside = sources
      .map(({ from }) => regions.get(from))
      .find((region) => region !== undefined && isMade.has(region))
    const isList = sources.some(
      (wire) => carriesMany(wire, byName, gives, oneByOne) && !isInside(regions.get(wire.from), isMade)
    )
    if (
      inside !== undefined &&
      staysInside(node, isEither) &&
      !isList &&
      !cameOutOf(sources, outOf).has(inside)
    ) {
      regions.set(name, inside)
      takes.set(name, false)
      gives.set(name, (givesMany(node, false) || answered.has(name)) && !passesOn(node, isEither))
      return
    }
    const isMany = isList || inside !== undefined
    // A region holds no other one: inside of a loop a list goes on as it is.
    if (isMany && !isOfLists(node) && !isPure(node) && sources.length > 0 && around === undefined) {
      const key = `each:${name}`
      made.push({ key, first: name })
      if (sources.length === 1) feeds.set(key, sources[0]!.from)
      isMade.add(key)
      regions.set(name, key)
      takes.set(name, false)
      gives.set(name, givesMany(node, false) || answered.has(name))
      return
    }
    takes.set(name, isMany)
    gives.set(name, passesOn(node, isEither) ? isMany : givesMany(node, isMany) || answered.has(name))
  }
  for (const name of orderOf(nodes, wires)) {
    yield
    decide(name)
    const sources = sourcesOf(name)
    const left = sources.flatMap(({ from }) => regions.get(from) ?? [])
    const own = regions.get(name)
    outOf.set(name, cameOutOf(sources, outOf).union(new Set(left.filter((region) => region !== own))))
  }
  return { gives, takes, regions, oneByOne, feeds, made }
}

function cameOutOf(
  sources: readonly N8nWire[],
  outOf: ReadonlyMap<string, ReadonlySet<string>>
): Set<string> {
  return new Set(sources.flatMap(({ from }) => [...(outOf.get(from) ?? [])]))
}

function loopsOfSingles(nodes: readonly N8nNode[], loops: ReadonlyMap<string, string>): Set<string> {
  const singles = new Set(nodes.filter(({ type }) => type === 'splitInBatches').map(({ name }) => name))
  for (const node of nodes) {
    const loop = loops.get(node.name)
    if (loop !== undefined && isOfLists(node) && !PASSING.has(node.type)) singles.delete(loop)
  }
  return singles
}

/** What answers a caller does so once, of all items. */
function staysInside(node: N8nNode, isEither: (name: string) => boolean): boolean {
  return node.type !== 'respondToWebhook' && (!isOfLists(node) || passesOn(node, isEither))
}

function isInside(region: string | undefined, isMade: ReadonlySet<string>): boolean {
  return region !== undefined && isMade.has(region)
}

/** What it gets of one branch or the other goes on as it is. */
function passesOn({ type, name }: N8nNode, isEither: (name: string) => boolean): boolean {
  return (type === 'merge' && isEither(name)) || PASSING.has(type)
}

const PASSING = new Set([
  'noOp',
  'wait',
  'executionData',
  'executeWorkflow',
  'respondToWebhook',
  'stopAndError'
])

/** An item of a loop is one, unless the loop takes several at once. */
function carriesMany(
  { from, output }: N8nWire,
  nodes: ReadonlyMap<string, N8nNode>,
  gives: ReadonlyMap<string, boolean>,
  oneByOne: ReadonlySet<string>
): boolean {
  const node = nodes.get(from)
  if (node?.type !== 'splitInBatches') return gives.get(from) ?? false
  const isItem = output === (node.version >= 3 ? 1 : 0)
  return !isItem || (batchSize(node) > 1 && !oneByOne.has(from))
}

/** Whether it leads back to a loop that it begins in. */
export function isBack(from: string, to: string, loops: ReadonlyMap<string, string>): boolean {
  for (let region = loops.get(from); region !== undefined; region = loops.get(region))
    if (region === to) return true
  return false
}

/** Each behind what leads to it; of a circle that is none of the loops, the first as they stand. */
function orderOf(nodes: readonly N8nNode[], wires: readonly N8nWire[]): string[] {
  const leaving = Map.groupBy(wires, ({ from }) => from)
  const missing = new Map(nodes.map(({ name }) => [name, 0]))
  for (const { to } of wires) missing.set(to, (missing.get(to) ?? 0) + 1)
  const order = new Set<string>()
  const ready = nodes.map(({ name }) => name).filter((name) => missing.get(name) === 0)
  const rest = nodes.map(({ name }) => name)
  let next = 0
  while (order.size < missing.size) {
    let name = ready.pop()
    while (name === undefined && next < rest.length) {
      const other = rest[next++]!
      if (!order.has(other)) name = other
    }
    if (name === undefined) break
    if (order.has(name)) continue
    order.add(name)
    for (const { to } of leaving.get(name) ?? []) {
      const left = missing.get(to)! - 1
      missing.set(to, left)
      if (left === 0 && !order.has(to)) ready.push(to)
    }
  }
  return [...order]
}
