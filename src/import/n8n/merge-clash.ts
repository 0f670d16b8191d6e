import { type Members, membersOf, textOf } from '../values.ts'

/** What becomes of members that several inputs have. */
export interface Clash {
  /** Each is called after its input. */
  readonly isSuffix: boolean
  /** The input whose value stays, from 1; undefined: the last one. */
  readonly prefers: number | undefined
  /** What is empty takes no place. */
  readonly isFilled: boolean
}

export function clashOf(params: Members): Clash {
  const values = membersOf(membersOf(membersOf(params.options).clashHandling).values)
  const resolve = textOf(values.resolveClash)
  const chosen = Number(/^preferInput(\d{1,2})$/.exec(resolve)?.[1] ?? Number.NaN)
  const enriched = textOf(params.joinMode) === 'enrichInput2' && resolve === '' ? 1 : undefined
  return {
    isSuffix: resolve === 'addSuffix',
    prefers: Number.isNaN(chosen) ? enriched : chosen,
    isFilled: values.overrideEmpty === true
  }
}

/** Code for `$merged(items)`, of one item of each input, and `$named(item, at)`, as it is called by itself. */
export function mergedCode({ isSuffix, prefers, isFilled }: Clash): string {
  const named = isSuffix
    ? 'Object.fromEntries(Object.entries(item ?? {}).map(([name, value]) => [name + "_" + (at + 1), value]))'
    : 'item ?? {}'
  const filled = isFilled
    ? `Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null && value !== ''))`
    : 'item'
  const last = prefers === undefined ? '' : `, items[${prefers - 1}] ?? {}`
  return `const $named = (item, at) => (${named})
const $filled = (item, at) => (at === 0 ? item : ${filled})
const $merged = (items) => Object.assign({}, ...[...items.map($named)${last}].map($filled))`
}
