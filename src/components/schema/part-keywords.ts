import { isPlainObject } from '../../plugin-api.ts'
import { type Judgement, type Misfit, type Place, type Seen, shown } from './judgement.ts'
import type { Pattern } from './pattern.ts'
import { canonical } from './same-value.ts'
import type { Check, SchemaNode } from './schema-node.ts'
import { counted, isFound } from './value-keywords.ts'
import type { Work } from './work.ts'

/** Checks of the members of objects and the items of lists. */

export function requiredCheck(names: readonly string[]): Check {
  return (value, place, judgement) => {
    if (!isPlainObject(value)) return
    judgement.isTurnOver(names.length / 4)
    for (const name of names)
      if (!Object.hasOwn(value, name))
        judgement.add({ above: place, key: name }, `lacks "${name}". Add it.`, 'missing_member')
  }
}

interface MemberSchemas {
  readonly named: ReadonlyMap<string, SchemaNode>
  readonly matching: readonly { readonly pattern: Pattern; readonly node: SchemaNode }[]
  /** For all others; null where there may be none. */
  readonly others: SchemaNode | null | undefined
}

export function membersCheck(schemas: MemberSchemas): Check {
  return (value, place, judgement, seen) =>
    isPlainObject(value) ? judgeMembers(value, { schemas, place, judgement, seen }) : undefined
}

interface Around {
  readonly schemas: MemberSchemas
  readonly place: Place | undefined
  readonly judgement: Judgement
  readonly seen: Seen | undefined
}

function* judgeMembers(value: Readonly<Record<string, unknown>>, around: Around): Work<void> {
  const { schemas, judgement } = around
  if (schemas.matching.length === 0 && schemas.others === undefined) {
    // Of a wide object only what the schema names.
    for (const [name, node] of schemas.named)
      if (Object.hasOwn(value, name)) yield judgeMember(value[name], name, [node], around)
    return
  }
  for (const name of Object.keys(value)) {
    if (judgement.isTurnOver()) yield
    const nodes = nodesFor(name, around)
    if (nodes.length > 0) yield judgeMember(value[name], name, nodes, around)
    else if (schemas.others === null)
      judgement.add(
        { above: around.place, key: name },
        `has an unknown member "${name.slice(0, 200)}". Remove it or correct its name.`,
        'unknown_member'
      )
  }
}

function nodesFor(name: string, { schemas, judgement }: Around): readonly SchemaNode[] {
  const named = schemas.named.get(name)
  const matching = schemas.matching.filter(({ pattern }) => isFound(pattern, name, judgement) === true)
  const nodes = [...(named === undefined ? [] : [named]), ...matching.map(({ node }) => node)]
  return nodes.length > 0 || !schemas.others ? nodes : [schemas.others]
}

function* judgeMember(
  value: unknown,
  name: string,
  nodes: readonly SchemaNode[],
  { place, judgement, seen }: Around
): Work<void> {
  seen?.add(name)
  for (const node of nodes) yield node.judge(value, { above: place, key: name }, judgement)
}

export function namesCheck(node: SchemaNode): Check {
  return (value, place, judgement) =>
    isPlainObject(value) ? judgeNames(value, node, place, judgement) : undefined
}

function* judgeNames(
  value: object,
  node: SchemaNode,
  place: Place | undefined,
  judgement: Judgement
): Work<void> {
  for (const name of Object.keys(value)) {
    const misfit = (yield node.misfit(name, undefined, judgement, undefined)) as Misfit | undefined
    if (misfit !== undefined)
      judgement.add(
        { above: place, key: name },
        `has a member "${name.slice(0, 200)}", whose name may not be so. Correct its name.`,
        'unknown_member'
      )
  }
}

/** How many members an object or items a list may have. */
export function countCheck(kind: 'member' | 'item', side: 'least' | 'most', limit: number): Check {
  return (value, place, judgement) => {
    const count = countOf(kind, value, judgement)
    if (count === undefined || (side === 'least' ? count >= limit : count <= limit)) return
    judgement.add(place, `has ${counted(count, kind)}. Give at ${side} ${counted(limit, kind)}.`)
  }
}

function countOf(kind: 'member' | 'item', value: unknown, judgement: Judgement): number | undefined {
  if (kind === 'item') return Array.isArray(value) ? value.length : undefined
  if (!isPlainObject(value)) return undefined
  const { length } = Object.keys(value)
  judgement.isTurnOver(length / 4)
  return length
}

export function itemsCheck(first: readonly SchemaNode[], others: SchemaNode | undefined): Check {
  return (value, place, judgement, seen) =>
    Array.isArray(value) ? judgeItems(value, { first, others }, { place, judgement, seen }) : undefined
}

function* judgeItems(
  items: readonly unknown[],
  { first, others }: { readonly first: readonly SchemaNode[]; readonly others: SchemaNode | undefined },
  { place, judgement, seen }: Omit<Around, 'schemas'>
): Work<void> {
  const end = others === undefined ? Math.min(first.length, items.length) : items.length
  for (let at = 0; at < end; at++) {
    seen?.add(at)
    yield (first[at] ?? others!).judge(items[at], { above: place, key: at }, judgement)
  }
}

export function containsCheck(node: SchemaNode, least: number, most: number): Check {
  return (value, place, judgement, seen) =>
    Array.isArray(value)
      ? judgeContained(value, { node, least, most }, { place, judgement, seen })
      : undefined
}

function* judgeContained(
  items: readonly unknown[],
  { node, least, most }: { readonly node: SchemaNode; readonly least: number; readonly most: number },
  { place, judgement, seen }: Omit<Around, 'schemas'>
): Work<void> {
  let count = 0
  for (let at = 0; at < items.length && (seen !== undefined || count <= most); at++) {
    const misfit = (yield node.misfit(items[at], undefined, judgement, undefined)) as Misfit | undefined
    if (misfit !== undefined) continue
    seen?.add(at)
    count++
  }
  if (count < least)
    judgement.add(place, `lacks an item that it must hold${least > 1 ? ` ${least} times` : ''}. Add it.`)
  if (count > most) judgement.add(place, `holds more than ${counted(most, 'item')} of a kind. Remove some.`)
}

export function uniqueCheck(): Check {
  return (value, place, judgement) =>
    Array.isArray(value) && value.length > 1 ? judgeUnique(value, place, judgement) : undefined
}

function* judgeUnique(items: readonly unknown[], place: Place | undefined, judgement: Judgement): Work<void> {
  const known = new Map<string, number>()
  for (const [at, item] of items.entries()) {
    const text = canonical(item, (steps) => void judgement.isTurnOver(steps))
    if (judgement.isTurnOver()) yield
    const before = known.get(text)
    if (before !== undefined)
      return judgement.add(
        place,
        `has the item ${shown(item)} twice, at ${before} and ${at}. Give each item once.`
      )
    known.set(text, at)
  }
}
