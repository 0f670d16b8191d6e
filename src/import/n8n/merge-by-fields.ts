import type { Become } from '../become.ts'
import { type Members, membersIn, membersOf, textOf } from '../values.ts'
import { handedOn, type OnEmpty } from './emptiness.ts'
import { made, type Place, several } from './mapping.ts'
import { type Clash, clashOf, mergedCode } from './merge-clash.ts'
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

const IN_ORDER = 'Items stay in their order; n8n put those without a match last.'

/** A Join where one does the same, else Code. Undefined where the file names no fields. */
export function mergeByFields(params: Members, write: Writer, { onEmpty }: Place): Become | undefined {
  const keys = keysOf(params)
  if (keys.length === 0) return undefined
  const options = membersOf(params.options)
  const rules = { keys, ...keptOf(params), clash: clashOf(params), options }
  const mode = joinMode(rules)
  if (mode === undefined) return asCode(rules, write, onEmpty)
  if (rules.keep.startsWith('enrich')) write.tell(IN_ORDER)
  const part = { type: 'join', fields: { keys, mode, clash: rules.clash.prefers === 1 ? 'Left' : 'Right' } }
  return {
    ...made(part, write, { gives: 'data' }),
    takes: (input) => (input === '1' ? 'main.right' : 'main.left')
  }
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

const JOINS: Readonly<Record<string, string>> = {
  'keepMatches both': 'Inner',
  'keepNonMatches input1': 'Left only',
  'keepEverything both': 'Outer',
  'enrichInput1 both': 'Left',
  'enrichInput2 both': 'Right'
}

function joinMode({ keep, from, clash, options }: Rules): string | undefined {
  const isPlain =
    options.disableDotNotation !== true && textOf(options.multipleMatches) !== 'first' && !clash.isSuffix
  return isPlain ? JOINS[`${keep} ${keep.startsWith('enrich') ? 'both' : from}`] : undefined
}

function asCode({ keys, keep, from, clash, options }: Rules, write: Writer, onEmpty: OnEmpty): Become {
  const isDotted = options.disableDotNotation !== true
  const isLoose = options.fuzzyCompare === true
  const read = isDotted ? `path.split('.').reduce((value, key) => value?.[key], item)` : 'item[path]'
  const code = `const [$lefts, $rights] = [$list(data[0]), $list(data[1])]
const $at = (item, path) => ${read}
const $key = (item, paths) => {
  const values = paths.map((path) => $at(item, path))
  return values.includes(undefined) ? undefined : JSON.stringify(values${isLoose ? `.map((value) => typeof value === 'object' ? value ?? '' : String(value))` : ''})
}
const $byKey = new Map()
for (const item of $rights) {
  const key = $key(item, ${JSON.stringify(keys.map(({ right }) => right))})
  $byKey.set(key, [...($byKey.get(key) ?? []), item])
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
${handedOn(resultOf(keep, from), onEmpty)}`
  const list = { type: 'merge', fields: { mode: 'List', inputs: 2 } }
  const chosen = { type: 'code', title: 'Matched items', fields: { code: write.code(code) } }
  return {
    ...several({ main: list, chosen }, write, { gives: 'result' }, [['main.data', 'chosen.data']]),
    takes: (input) => (input === '1' ? 'main.in_2' : 'main.in_1')
  }
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
