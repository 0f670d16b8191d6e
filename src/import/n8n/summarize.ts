import { type Members, membersIn, membersOf, textOf } from '../values.ts'
import { type Mapping, made } from './mapping.ts'
import { byPaths, fieldNamesCode, GET } from './paths.ts'

const NAMED: Readonly<Record<string, string>> = {
  append: 'appended',
  average: 'average',
  concatenate: 'concatenated',
  count: 'count',
  countUnique: 'unique_count',
  max: 'max',
  min: 'min',
  sum: 'sum'
}

/** What is made of the values of a group, in JavaScript. */
const MADE: Readonly<Record<string, string>> = {
  append: 'values',
  average: 'numbers.reduce((sum, value) => sum + value, 0) / numbers.length',
  count: 'values.length',
  countUnique: 'new Set(values).size',
  max: 'filled.reduce((most, value) => (most === undefined || value > most ? value : most), undefined) ?? null',
  min: 'filled.reduce((least, value) => (least === undefined || value < least ? value : least), undefined) ?? null',
  sum: 'numbers.reduce((sum, value) => sum + value, 0)'
}

/** Figures of all items, or of those that have the same values in some fields. */
export const summarize: Mapping = (node, write) => {
  const { params, version } = node
  const options = membersOf(params.options)
  const rows = membersIn(membersOf(params.fieldsToSummarize).values)
  const by = fieldNamesCode(params.fieldsToSplitBy, write)
  const isWord = version < 1.1 && node.type === 'summarize'
  const word = isWord ? 'String(value)' : 'value'
  const skips = options.skipEmptySplitFields === true
  const code = `${byPaths(options, GET)}
const $none = (value) => value === undefined || value === null || value === ''
const $name = (name) => name.replace(/[\\]["]/g, '').replace(/[ .]/g, '_')
const $figures = [${rows.map(figure).join(', ')}]
const $of = (items) => Object.fromEntries($figures.map(([name, field, keepsEmpty, make]) => {
  const all = items.map((json) => $get(json, field)), filled = all.filter((value) => !$none(value))
  return [$name(name), make(keepsEmpty ? all : filled, filled, all.filter((value) => typeof value === 'number'))]
}))
const $by = ${by}
const $key = (json, field) => { const found = $get(json, field), value = typeof found === 'object' && found !== null ? JSON.stringify(found) : found; return ${word} }
const $grouped = (items, [field, ...rest]) => {
  if (field === undefined) return [[[], $of(items)]]
  const groups = Map.groupBy(items${skips ? '.filter((json) => { const value = $key(json, field); return typeof value === "number" || Boolean(value) })' : ''}, (json) => $key(json, field))
  return [...groups].flatMap(([value, group]) => $grouped(group, rest).map(([values, figures]) => [[value, ...values], figures]))
}
const $rows = $grouped($list(data), $by)
${options.outputFormat === 'singleItem' ? NESTED : LISTED}`
  return made({ type: 'code', fields: { code: write.code(code) } }, write, {
    takes: 'data',
    gives: 'result'
  })
}

const LISTED = `const $items = $rows.map(([values, figures]) => Object.assign({ ...figures }, ...values.map((value, at) => ({ [$name($by[at])]: value })).reverse()))
return $by.length === 0 ? $items[0] : $items`
/** One object, in which the values of the groups are keys. */
const NESTED = `const $result = {}
for (const [values, figures] of $rows) {
  const last = values.pop()
  if (last === undefined && $by.length === 0) return figures
  values.reduce((at, value) => (at[value] ??= {}), $result)[last] = figures
}
return $result`

function figure({ aggregation, field, includeEmpty, separateBy, customSeparator }: Members): string {
  const operation = textOf(aggregation) || 'count'
  const name = JSON.stringify(`${NAMED[operation] ?? operation}_${textOf(field)}`)
  const between = separateBy === 'other' ? textOf(customSeparator) : (separateBy ?? ',')
  const joined = `values.map((value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))).join(${JSON.stringify(between)})`
  const made = operation === 'concatenate' ? joined : (MADE[operation] ?? MADE.count)
  return `[${name}, ${JSON.stringify(textOf(field))}, ${includeEmpty === true}, (values, filled, numbers) => ${made}]`
}
