import { type Members, membersOf, textOf } from '../values.ts'

/** What becomes of members that several inputs have. */
export interface Clash {
  /** Each is called after its input. */
  readonly isSuffix: boolean
  /** The input whose value stays, from 1; undefined: the last one. */
  readonly prefers: number | undefined
  /** What is empty takes no place. */
  readonly isFilled: boolean
  /** Objects and lists of one name are merged, too. */
  readonly isDeep: boolean
}

export function clashOf(params: Members): Clash {
  const values = membersOf(membersOf(membersOf(params.options).clashHandling).values)
  const resolve = textOf(values.resolveClash)
  const chosen = Number(/^preferInput(\d{1,2})$/.exec(resolve)?.[1] ?? Number.NaN)
  const enriched = textOf(params.joinMode) === 'enrichInput2' && resolve === '' ? 1 : undefined
  return {
    isSuffix: resolve === 'addSuffix',
    prefers: Number.isNaN(chosen) ? enriched : chosen,
    isFilled: values.overrideEmpty === true,
    isDeep: values.mergeMode !== 'shallowMerge'
  }
}

/** Code for `$merged(items)`, of one item of each input, and `$named(item, at)`, as it is called by itself. */
export function mergedCode({ isSuffix, prefers, isFilled, isDeep }: Clash): string {
  const named = isSuffix
    ? 'Object.fromEntries(Object.entries(item ?? {}).map(([name, value]) => [name + "_" + (at + 1), value]))'
    : 'item ?? {}'
  const none = isFilled ? "value === undefined || value === null || value === ''" : 'value === undefined'
  const last = prefers === undefined ? '' : `, $named(items[${prefers - 1}], ${prefers - 1})`
  return `const $named = (item, at) => (${named})
const $isIn = (value) => typeof value === 'object' && value !== null
const $over = (one, other) => {
  const both = Array.isArray(one) ? [...one] : { ...one }
  for (const [name, value] of Object.entries(other)) {
    if (${none}) continue
    const there = Object.hasOwn(both, name) ? both[name] : undefined
    both[name] = ${isDeep ? '$isIn(there) && $isIn(value) && Array.isArray(there) === Array.isArray(value) ? $over(there, value) : value' : 'value'}
  }
  return both
}
const $merged = (items) => [...items.map($named)${last}].reduce($over, {})`
}
