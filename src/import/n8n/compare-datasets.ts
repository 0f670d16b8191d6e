import { type Members, membersIn, membersOf, textOf } from '../values.ts'
import { type Mapping, several } from './mapping.ts'
import { listsOf, namedInputs } from './merge-inputs.ts'
import type { N8nNode } from './n8n-node.ts'
import { byPaths, fieldNames, fieldNamesCode, GET, PUT, WITHOUT } from './paths.ts'
import type { Writer } from './writer.ts'

const NAMES = ['onlyA', 'same', 'different', 'onlyB']

/** Two lists, of which items that belong together are found by some of their fields, and compared by all. */
export const compareDatasets: Mapping = (node, write) => {
  const way = (name: string) => ({
    type: 'code',
    title: name,
    fields: {
      code: `return data[${JSON.stringify(name)}].length > 0 ? data[${JSON.stringify(name)}] : undefined`
    }
  })
  const { parts, links, takes } = namedInputs(2)
  return {
    ...several(
      {
        ...parts,
        compared: { type: 'code', fields: { code: write.code(comparing(node, write)) } },
        ...Object.fromEntries(NAMES.map((name) => [name, way(name)]))
      },
      write,
      {},
      [
        ...links,
        ['main.data', 'compared.data'],
        ...NAMES.map((name) => ['compared.result', `${name}.data`] as const)
      ]
    ),
    takes,
    gives: (output) => `${NAMES[Number(output)] ?? 'same'}.result`
  }
}

/** `isDeepEqual`, and what n8n takes for the same besides where it is told to. */
const SAME = `const $is = (a, b) => {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b) || a === b
  const names = Object.keys(a)
  return Array.isArray(a) === Array.isArray(b) && names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && $is(a[name], b[name]))
}`
const LOOSELY = (
  version: number
) => `const $none = (value) => value === null || value === '' || (Array.isArray(value) && value.length === 0)
const $read = (text) => { try { return JSON.parse(text) } catch { return undefined } }
const $alike = (a, b) => {
  if (a !== null && b !== null && typeof a === typeof b) return $is(a, b)
  const one = (x, y) => ${version >= 2 ? "(x === null && (y === 0 || y === '0')) || " : ''}($none(x) && (y === undefined || $none(y)))
    || (typeof x === 'number' && typeof y === 'string' && String(x) === y) || (typeof x === 'object' && x !== null && typeof y === 'string' && $is(x, $read(y)))
    || (typeof x === 'boolean' && typeof y === 'string' && (String(x) === y.toLowerCase() || y === (x ? '1' : '0'))) || (typeof x === 'boolean' && y === (x ? 1 : 0))
  return one(a, b) || one(b, a) || $is(a, b)
}`

function comparing({ params, version }: N8nNode, write: Writer): string {
  const options = membersOf(params.options)
  const isLoose = params.fuzzyCompare === true || options.fuzzyCompare === true
  const keys = membersIn(membersOf(params.mergeByFields).values).map(({ field1, field2 }) => [
    textOf(field1),
    textOf(field2) || textOf(field1)
  ])
  const found = options.multipleMatches === 'all' ? '' : '.slice(0, 1)'
  const whole = isLoose
    ? '(a, b) => Object.keys(a).every((name) => $alike(a[name], b[name]))'
    : '(a, b) => $is(a, b)'
  return `${byPaths(options, GET, PUT, WITHOUT)}
${SAME}
${isLoose ? LOOSELY(version) : 'const $alike = $is'}
const $keys = ${JSON.stringify(keys)}, $skipped = ${fieldNamesCode(options.skipFields, write)}
const $filled = (list) => $list(list).filter((json) => Object.keys(json ?? {}).length > 0)
const [$as, $bs] = ${listsOf(2)}.map($filled)
const $whole = ${whole}
${VALUE(version)}
${differing({ params, version }, isLoose)}
const $used = new Set(), result = { onlyA: [], same: [], different: [], onlyB: [] }
for (const a of $as) {
  const looked = $keys.map(([from, to]) => [$get(a, from), to])
  const matches = looked.some(([value]) => value === undefined) ? [] : $bs.filter((b) => looked.every(([value, to]) => $alike(value, $get(b, to))))${found}
  matches.forEach((b) => $used.add(b))
  if (matches.length === 0) result.onlyA.push(a)
  let kept
  for (const b of matches)
    if ($whole($without(a, $skipped), $without(b, $skipped))) kept ??= ${isLoose && resolveOf(params, version) === 'preferInput2' ? 'b' : 'a'}
    else result.different.push($differing(a, b))
  if (kept !== undefined) result.same.push(kept)
}
result.onlyB = $bs.filter((b) => !$used.has(b))
return result`
}

const VALUE = (version: number) =>
  version >= 2
    ? 'const $value = (value) => (value === undefined ? null : value)'
    : 'const $value = (value) => value || null'

/** What is told of two that belong together and are not the same. */
function differing({ params, version }: Pick<N8nNode, 'params' | 'version'>, isLoose: boolean): string {
  const resolve = resolveOf(params, version)
  if (resolve === 'preferInput1') return 'const $differing = (a) => a'
  if (resolve === 'preferInput2') return 'const $differing = (a, b) => b'
  if (resolve === 'mix') return mixed(params)
  const names = version >= 2 ? ['inputA', 'inputB'] : ['input1', 'input2']
  const isOfAll = isLoose && version >= 2.1
  const isDotted = version >= 2.1 && membersOf(params.options).disableDotNotation !== true
  return `const $pair = (one, other) => ({ ${names[0]}: one, ${names[1]}: other })
const $differing = (a, b) => {
  const all = [...new Set([...Object.keys(a), ...Object.keys(b)])], both = ${isOfAll ? 'all' : 'all.filter((name) => name in a && name in b)'}
  const same = Object.fromEntries(both.filter((name) => $alike(a[name], b[name])).map((name) => [name, a[name]])), different = {}, skipped = {}
  for (const name of all.filter((name) => !(name in same))) {
    const [one, other] = [$value(a[name]), $value(b[name])], inner = ${isDotted ? '$skipped.filter((path) => path.startsWith(name + "."))' : '[]'}.map((path) => path.slice(name.length + 1))
    if ($skipped.includes(name)) skipped[name] = $pair(one, other)
    else different[name] = inner.length === 0 ? $pair(one, other) : $pair($without(one, inner), $without(other, inner))
    if (inner.length > 0) skipped[name] = $pair(inner.reduce((left, path) => $put(left, path, $get(one, path)), {}), inner.reduce((left, path) => $put(left, path, $get(other, path)), {}))
  }
  return { keys: Object.fromEntries($keys.map(([from]) => [from, a[from]])), same, different, ...(Object.keys(skipped).length > 0 && { skipped }) }
}`
}

/** What versions take where nobody chose. */
function resolveOf({ resolve }: Members, version: number): string {
  return textOf(resolve) || (version > 2 ? 'includeBoth' : 'preferInput2')
}

function mixed({ preferWhenMix, exceptWhenMix }: Members): string {
  const [kept, other] = preferWhenMix === 'input2' ? ['b', 'a'] : ['a', 'b']
  return `const $differing = (a, b) => ${JSON.stringify(fieldNames(exceptWhenMix))}.reduce((mixed, path) => $put(mixed, path, $get(${other}, path) ?? null), { ...${kept} })`
}
