import type { Become } from '../become.ts'
import { type Members, membersIn, membersOf, textOf } from '../values.ts'
import { handedOn, type OnEmpty } from './emptiness.ts'
import { type Place, several } from './mapping.ts'
import { type Clash, clashOf, mergedCode } from './merge-clash.ts'
import { listsOf, namedInputs } from './merge-inputs.ts'
import type { Writer } from './writer.ts'

interface Key {
  readonly left: string
  readonly right: string
}

interface Rules {
  readonly keys: readonly Key[]
  readonly keep: string
  readonly from: string
  readonly clash: Clash
  readonly options: Members
}

/** Code: a Join takes 7 and "7" for the same, and a list that did not come for a fault. Undefined where the file names no fields. */
export function mergeByFields(params: Members, write: Writer, { onEmpty }: Place): Become | undefined {
  const keys = keysOf(params)
  if (keys.length === 0) return undefined
  const options = membersOf(params.options)
  const rules = { keys, ...keptOf(params), clash: clashOf(params), options }
  return asCode(rules, write, onEmpty)
}

function keysOf(params: Members): Key[] {
  const pairs = membersIn(membersOf(params.mergeByFields ?? params.fieldsToMatch).values).map(
    ({ field1, field2 }) => ({ left: textOf(field1), right: textOf(field2) || textOf(field1) })
  )
  const same = textOf(params.fieldsToMatchString)
    .split(',')
    .map((key) => ({ left: key.trim(), right: key.trim() }))
  const first = { left: textOf(params.propertyName1), right: textOf(params.propertyName2) }
  const isAdvanced = params.advanced === true
  return [...pairs, ...(isAdvanced ? [] : same), first].filter(
    ({ left, right }) => left !== '' && right !== ''
  )
}

/** Which items stay, and of which side; the first version said both by its mode. */
function keptOf(params: Members): { keep: string; from: string } {
  switch (textOf(params.mode)) {
    case 'removeKeyMatches':
      return { keep: 'keepNonMatches', from: 'input1' }
    case 'keepKeyMatches':
      return { keep: 'keepMatches', from: 'input1' }
    case 'mergeByKey':
      return { keep: 'enrichInput1', from: 'both' }
    default:
      return { keep: textOf(params.joinMode) || 'keepMatches', from: textOf(params.outputDataFrom) || 'both' }
  }
}

function asCode({ keys, keep, from, clash, options }: Rules, write: Writer, onEmpty: OnEmpty): Become {
  const isDotted = options.disableDotNotation !== true
  const isLoose = options.fuzzyCompare === true
  const read = isDotted ? `path.split('.').reduce((value, key) => value?.[key], item)` : 'item[path]'
  const code = `const [$lefts, $rights] = ${listsOf(2)}
const $at = (item, path) => ${read}
const $key = (item, paths) => {
  const values = paths.map((path) => $at(item, path))
  return values.includes(undefined) ? undefined : JSON.stringify(values${isLoose ? `.map((value) => typeof value === 'object' ? value ?? '' : String(value))` : ''})
}
const $byKey = new Map()
for (const item of $rights) {
  const key = $key(item, ${JSON.stringify(keys.map(({ right }) => right))})
  $byKey.has(key) ? $byKey.get(key).push(item) : $byKey.set(key, [item])
}
const $found = (item) => {
  const key = $key(item, ${JSON.stringify(keys.map(({ left }) => left))})
  return key === undefined ? [] : ($byKey.get(key) ?? [])${options.multipleMatches === 'first' ? '.slice(0, 1)' : ''}
}
const $used = new Set($lefts.flatMap($found))
${mergedCode(clash)}
const $pairs = () => $lefts.flatMap((one) => $found(one).map((other) => $merged([one, other])))
const $matched = { input1: () => $lefts.filter((item) => $found(item).length > 0), input2: () => $rights.filter((item) => $used.has(item)), both: $pairs }
const $alone1 = $lefts.filter((item) => $found(item).length === 0), $alone2 = $rights.filter((item) => !$used.has(item))
const $some = () => ${resultOf(keep, from)}
${handedOn(`($lefts.length === 0 || $rights.length === 0 ? ${ofOne(keep, from)} : $some())`, onEmpty)}`
  const { parts, links, takes } = namedInputs(2)
  const chosen = { type: 'code', title: 'Matched items', fields: { code: write.code(code) } }
  return {
    ...several({ ...parts, chosen }, write, { gives: 'result' }, [...links, ['main.data', 'chosen.data']]),
    takes
  }
}

/** Where one of the lists has no items. */
function ofOne(keep: string, from: string): string {
  if (keep === 'keepMatches') return '[]'
  const first = keep === 'enrichInput1' || (keep === 'keepNonMatches' && from === 'input1')
  const second = keep === 'enrichInput2' || (keep === 'keepNonMatches' && from === 'input2')
  if (first) return '$lefts'
  return second ? '$rights' : '[...$lefts, ...$rights]'
}

function resultOf(keep: string, from: string): string {
  const side = from === 'input1' || from === 'input2' ? from : 'both'
  switch (keep) {
    case 'keepNonMatches':
      if (side !== 'both') return side === 'input1' ? '$alone1' : '$alone2'
      return `[...$alone1.map((item) => ({ ...item, _source: 'input1' })), ...$alone2.map((item) => ({ ...item, _source: 'input2' }))]`
    case 'keepEverything':
      return `[...$matched.${side}(), ...$alone1.map((item) => $named(item, 0)), ...$alone2.map((item) => $named(item, 1))]`
    case 'enrichInput1':
      return '[...$pairs(), ...$alone1.map((item) => $named(item, 0))]'
    case 'enrichInput2':
      return '[...$pairs(), ...$alone2.map((item) => $named(item, 1))]'
    default:
      return `$matched.${side}()`
  }
}
