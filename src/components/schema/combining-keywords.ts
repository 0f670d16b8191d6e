import { isPlainObject } from '../../plugin-api.ts'
import { type Judgement, type Misfit, type Place, type Seen, shown } from './judgement.ts'
import type { Check, SchemaNode } from './schema-node.ts'
import type { Work } from './work.ts'

/** Checks that hold the same value against other schemas. */

export function allCheck(nodes: readonly SchemaNode[]): Check {
  return function* (value, place, judgement, seen) {
    for (const node of nodes) yield node.judge(value, place, judgement, seen)
  }
}

export function anyCheck(nodes: readonly SchemaNode[]): Check {
  return function* (value, place, judgement, seen) {
    const misfits: Misfit[] = []
    for (const node of nodes) {
      const misfit = (yield node.misfit(value, place, judgement, seen)) as Misfit | undefined
      // All that fit count for what was seen.
      if (misfit === undefined && seen === undefined) return
      if (misfit !== undefined) misfits.push(misfit)
    }
    if (misfits.length === nodes.length) addClosest(value, place, judgement, misfits)
  }
}

export function oneCheck(nodes: readonly SchemaNode[]): Check {
  return function* (value, place, judgement, seen) {
    const misfits: Misfit[] = []
    for (const [at, node] of nodes.entries()) {
      const misfit = (yield node.misfit(value, place, judgement, seen)) as Misfit | undefined
      if (misfit !== undefined) misfits.push(misfit)
      else if (misfits.length < at)
        return judgement.add(
          place,
          'fits more than one of the forms of which it may have one. Make it plain which.'
        )
    }
    if (misfits.length === nodes.length) addClosest(value, place, judgement, misfits)
  }
}

/** Of forms that all do not fit, the one that did for longest is the one that was meant. */
function addClosest(
  value: unknown,
  place: Place | undefined,
  judgement: Judgement,
  misfits: readonly Misfit[]
): void {
  const closest = misfits.reduce<Misfit | undefined>(
    (best, misfit) => (depthOf(misfit.place) > depthOf(best?.place ?? place) ? misfit : best),
    misfits.length === 1 ? misfits[0] : undefined
  )
  if (closest !== undefined) judgement.add(closest.place, closest.words, closest.code)
  else
    judgement.add(place, `is ${shown(value)}, and fits none of the ${misfits.length} forms that it may have.`)
}

function depthOf(place: Place | undefined): number {
  let depth = 0
  for (let at = place; at !== undefined; at = at.above) depth++
  return depth
}

export function notCheck(node: SchemaNode): Check {
  return function* (value, place, judgement) {
    const misfit = (yield node.misfit(value, undefined, judgement, undefined)) as Misfit | undefined
    if (misfit === undefined) judgement.add(place, `is ${shown(value)}, which it may not be.`)
  }
}

export function ifCheck(
  condition: SchemaNode,
  then: SchemaNode | undefined,
  otherwise: SchemaNode | undefined
): Check {
  return function* (value, place, judgement, seen) {
    const misfit = (yield condition.misfit(value, undefined, judgement, seen)) as Misfit | undefined
    const next = misfit === undefined ? then : otherwise
    if (next !== undefined) yield next.judge(value, place, judgement, seen)
  }
}

/** What a member asks of the others: names, or a schema. */
export function dependentCheck(needs: ReadonlyMap<string, readonly string[] | SchemaNode>): Check {
  return function* (value, place, judgement, seen) {
    if (!isPlainObject(value)) return
    for (const [name, need] of needs) {
      if (!Object.hasOwn(value, name)) continue
      if (!isList(need)) yield need.judge(value, place, judgement, seen)
      else addMissing(value, name, need, place, judgement)
    }
  }
}

function isList(need: readonly string[] | SchemaNode): need is readonly string[] {
  return Array.isArray(need)
}

function addMissing(
  value: object,
  name: string,
  needed: readonly string[],
  place: Place | undefined,
  judgement: Judgement
): void {
  judgement.isTurnOver(needed.length / 4)
  for (const other of needed)
    if (!Object.hasOwn(value, other))
      judgement.add(
        { above: place, key: other },
        `lacks "${other}", which goes with "${name}". Add it.`,
        'missing_member'
      )
}

/** Members or items that no other part of the schema has looked at. */
export function unseenCheck(kind: 'member' | 'item', node: SchemaNode | null): Check {
  return (value, place, judgement, seen) => {
    if (seen === undefined) return undefined
    if (kind === 'item')
      return Array.isArray(value)
        ? judgeUnseen([...value.keys()], value, { node, place, judgement, seen })
        : undefined
    return isPlainObject(value)
      ? judgeUnseen(Object.keys(value), value, { node, place, judgement, seen })
      : undefined
  }
}

interface Unseen {
  readonly node: SchemaNode | null
  readonly place: Place | undefined
  readonly judgement: Judgement
  readonly seen: Seen
}

function* judgeUnseen(
  keys: readonly (string | number)[],
  value: object,
  { node, place, judgement, seen }: Unseen
): Work<void> {
  for (const key of keys) {
    if (judgement.isTurnOver()) yield
    if (seen.has(key)) continue
    seen.add(key)
    const at = { above: place, key }
    if (node === null)
      judgement.add(at, `has an unknown member "${key}". Remove it or correct its name.`, 'unknown_member')
    else yield node.judge((value as Record<string | number, unknown>)[key], at, judgement)
  }
}
