import { bounded, membersIn, membersOf, textOf } from '../values.ts'
import { code } from './code.ts'
import { unique } from './duplicates.ts'
import { handedOn } from './emptiness.ts'
import { type Mapping, made, several } from './mapping.ts'
import { rename } from './rename.ts'
import { set } from './set.ts'

const PORTS = { takes: 'data', gives: 'result' }

const split: Mapping = (node, write, { onEmpty }) => {
  const field = textOf(node.params.fieldToSplitOut)
  const names = field
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const include = textOf(node.params.include)
  const as = textOf(membersOf(node.params.options).destinationFieldName)
  const around =
    include === 'allOtherFields'
      ? '...json, '
      : include === 'selectedOtherFields'
        ? `...Object.fromEntries(${JSON.stringify(
            textOf(node.params.fieldsToInclude)
              .split(',')
              .map((name) => name.trim())
          )}.map((name) => [name, json[name]])), `
        : ''
  const body =
    names.length === 1
      ? `const $at = (json) => ${JSON.stringify(names[0])}.split('.').reduce((value, key) => value?.[key], json)
const $key = ${JSON.stringify(as || names[0]!.split('.').at(-1))}
const $items = $list(data).flatMap((json) => $list(Array.isArray($at(json)) || typeof $at(json) !== 'object' || $at(json) === null ? $at(json) : Object.values($at(json))).map((item) =>
  ${around === '' && as === '' ? "typeof item === 'object' && item !== null ? item : { [$key]: item }" : `({ ${around}[$key]: item })`}))`
      : `const $names = ${JSON.stringify(names)}
const $items = $list(data).flatMap((json) => Array.from({ length: Math.max(...$names.map((name) => $list(json[name]).length)) }, (_, at) => ({ ${around}...Object.fromEntries($names.map((name) => [name, $list(json[name])[at]])) })))`
  return made(
    { type: 'code', fields: { code: write.code(`${body}\n${handedOn('$items', onEmpty)}`) } },
    write,
    PORTS
  )
}

const aggregate: Mapping = (node, write) => {
  const { params } = node
  const isAll = params.aggregate === 'aggregateAllItemData'
  const to = textOf(params.destinationFieldName) || 'data'
  const include = textOf(params.include)
  const chosen =
    include === 'specifiedFields'
      ? `.map((json) => ${picked(params.fieldsToInclude)})`
      : include === 'allFieldsExcept'
        ? `.map((json) => Object.fromEntries(Object.entries(json).filter(([name]) => !${namesOf(params.fieldsToExclude)}.includes(name))))`
        : ''
  if (isAll)
    return made(
      {
        type: 'code',
        fields: { code: write.code(`return { ${JSON.stringify(to)}: $list(data)${chosen} }`) }
      },
      write,
      PORTS
    )
  const options = membersOf(params.options)
  const fields = membersIn(membersOf(params.fieldsToAggregate).fieldToAggregate).map(
    ({ fieldToAggregate, renameField, outputFieldName }) => ({
      from: textOf(fieldToAggregate),
      as:
        renameField === true && textOf(outputFieldName) !== ''
          ? textOf(outputFieldName)
          : textOf(fieldToAggregate).split('.').at(-1)!
    })
  )
  const rows = fields.map(({ from, as }) => {
    const read = `$list(data).${options.mergeLists === true ? 'flatMap' : 'map'}((json) => ${JSON.stringify(from)}.split('.').reduce((value, key) => value?.[key], json))`
    return `${JSON.stringify(as)}: ${read}${options.keepMissing === true ? '' : '.filter((value) => value !== undefined && value !== null)'}`
  })
  return made({ type: 'code', fields: { code: write.code(`return { ${rows.join(', ')} }`) } }, write, PORTS)
}

function namesOf(value: unknown): string {
  return JSON.stringify(
    textOf(value)
      .split(',')
      .map((name) => name.trim())
  )
}

function picked(value: unknown): string {
  return `Object.fromEntries(${namesOf(value)}.map((name) => [name, json[name]]))`
}

const OPERATIONS: Readonly<Record<string, string>> = {
  append: 'list',
  average: 'average',
  concatenate: 'list',
  count: 'count',
  countUnique: 'unique count',
  max: 'max',
  min: 'min',
  sum: 'sum'
}

const summarize: Mapping = (node, write) => {
  const rows = membersIn(membersOf(node.params.fieldsToSummarize).values).map(({ aggregation, field }) => {
    const operation = textOf(aggregation) || 'count'
    const as =
      {
        append: 'appended',
        average: 'average',
        concatenate: 'concatenated',
        count: 'count',
        countUnique: 'unique_count',
        max: 'max',
        min: 'min',
        sum: 'sum'
      }[operation] ?? operation
    return {
      operation: OPERATIONS[operation] ?? 'count',
      field: textOf(field),
      as: `${as}_${textOf(field)}`.replaceAll('.', '_')
    }
  })
  if (rows.some(({ as }) => as.startsWith('concatenated'))) write.tell('Texts that were joined are a list.')
  const group_by = textOf(node.params.fieldsToSplitBy)
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return made(
    { type: 'aggregate', fields: { ...(group_by.length > 0 && { group_by }), aggregates: rows } },
    write,
    { takes: 'data', gives: 'data' }
  )
}

const sort: Mapping = (node, write) => {
  const { params } = node
  const keys = membersIn(membersOf(params.sortFieldsUi).sortField).map(({ fieldName, order }) => ({
    field: textOf(fieldName),
    direction: order === 'descending' ? 'descending' : 'ascending'
  }))
  if (params.type === 'random')
    return made(
      {
        type: 'code',
        fields: { code: write.code('return [...$list(data)].sort(() => Math.random() - 0.5)') }
      },
      write,
      PORTS
    )
  if (params.type === 'code' || keys.length === 0) {
    const code = `return [...items].sort((a, b) => { ${textOf(params.code) || 'return 0'} }).map(({ json }) => json)`
    return made({ type: 'code', fields: { code: write.code(code) } }, write, PORTS)
  }
  return made({ type: 'sort', fields: { keys } }, write, { takes: 'data', gives: 'data' })
}

const limit: Mapping = (node, write, place) => {
  const count = bounded(node.params.maxItems, 0, 1_000_000) ?? 1
  const from = node.params.keep === 'lastItems' ? 'end' : 'start'
  if (!place.isMany)
    return made(
      {
        type: 'code',
        fields: {
          code: write.code(
            `return $list(data)${from === 'end' ? `.slice(-${count})` : `.slice(0, ${count})`}${count === 1 ? '[0]' : ''}`
          )
        }
      },
      write,
      PORTS
    )
  if (count !== 1)
    return made({ type: 'limit', fields: { count, from } }, write, { takes: 'data', gives: 'data' })
  return made(
    { type: 'code', fields: { code: write.code(`return $list(data).at(${from === 'end' ? -1 : 0})`) } },
    write,
    PORTS
  )
}

/** Before there were nodes for each of its operations. */
const itemLists: Mapping = (node, write, place) => {
  switch (textOf(node.params.operation) || 'splitOutItems') {
    case 'concatenateItems':
      return aggregate(node, write, place)
    case 'limit':
      return limit(node, write, place)
    case 'removeDuplicates':
      return unique(node, write, place)
    case 'sort':
      return sort(node, write, place)
    case 'summarize':
      return summarize(node, write, place)
    default:
      return split(node, write, place)
  }
}

const compare: Mapping = (node, write) => {
  const keys = JSON.stringify(
    membersIn(membersOf(node.params.mergeByFields).values).map(({ field1, field2 }) => [
      textOf(field1),
      textOf(field2) || textOf(field1)
    ])
  )
  const body = `const keys = ${keys}
const [a, b] = [$list(data[0]), $list(data[1])]
const of = (json, side) => JSON.stringify(keys.map((pair) => json?.[pair[side]]))
const inA = new Map(a.map((json) => [of(json, 0), json])), inB = new Map(b.map((json) => [of(json, 1), json]))
const both = [...inA].filter(([key]) => inB.has(key))
return { onlyA: a.filter((json) => !inB.has(of(json, 0))), same: both.filter(([key, json]) => JSON.stringify(json) === JSON.stringify(inB.get(key))).map(([, json]) => json), different: both.filter(([key, json]) => JSON.stringify(json) !== JSON.stringify(inB.get(key))).map(([key, json]) => ({ a: json, b: inB.get(key) })), onlyB: b.filter((json) => !inA.has(of(json, 1))) }`
  const way = (name: string) => ({
    type: 'code',
    title: name,
    fields: {
      code: `return data[${JSON.stringify(name)}].length > 0 ? data[${JSON.stringify(name)}] : undefined`
    }
  })
  const names = ['onlyA', 'same', 'different', 'onlyB']
  return {
    ...several(
      {
        main: { type: 'merge', fields: { mode: 'List', inputs: 2 } },
        compared: { type: 'code', fields: { code: write.code(body) } },
        ...Object.fromEntries(names.map((name) => [name, way(name)]))
      },
      write,
      {},
      [['main.data', 'compared.data'], ...names.map((name) => ['compared.result', `${name}.data`] as const)]
    ),
    takes: (input) => `main.in_${Math.min(1, Number(input)) + 1}`,
    gives: (output) => `${names[Number(output)] ?? 'same'}.result`
  }
}

export const DATA: Readonly<Record<string, Mapping>> = {
  set,
  splitOut: split,
  aggregate,
  summarize,
  sort,
  limit,
  removeDuplicates: unique,
  renameKeys: rename,
  itemLists,
  code,
  function: code,
  functionItem: code,
  compareDatasets: compare
}
