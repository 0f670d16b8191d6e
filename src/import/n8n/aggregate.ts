import { membersIn, membersOf, textOf } from '../values.ts'
import { type Mapping, made } from './mapping.ts'
import { byPaths, fieldNamesCode, GET, PUT } from './paths.ts'
import type { Writer } from './writer.ts'

/** One item of all: of fields a list each, or of whole items. */
export const aggregate: Mapping = (node, write) => {
  const isAll = node.params.aggregate === 'aggregateAllItemData'
  const code = isAll ? ofItems(node.params, write) : ofFields(node.params)
  return made({ type: 'code', fields: { code: write.code(code) } }, write, {
    takes: 'data',
    gives: 'result'
  })
}

type Params = Parameters<Mapping>[0]['params']

/** Where only some fields are asked for, an item without any of them is left out. */
function ofItems(params: Params, write: Writer): string {
  const to = JSON.stringify(textOf(params.destinationFieldName) || 'data')
  const include = textOf(params.include)
  const isExcept = include === 'allFieldsExcept'
  if (include !== 'specifiedFields' && !isExcept) return `return { ${to}: $list(data) }`
  const names = fieldNamesCode(isExcept ? params.fieldsToExclude : params.fieldsToInclude, write)
  const kept = `${isExcept ? '!' : ''}$names.includes(name)`
  return `const $names = ${names}
return { ${to}: $list(data).map((json) => Object.fromEntries(Object.entries(json).filter(([name]) => ${kept}))).filter((json) => Object.keys(json).length > 0) }`
}

function ofFields(params: Params): string {
  const options = membersOf(params.options)
  const rows = membersIn(membersOf(params.fieldsToAggregate).fieldToAggregate).map((row) => {
    const from = textOf(row.fieldToAggregate)
    const own = options.disableDotNotation === true ? from : (from.split('.').at(-1) ?? from)
    const as = (row.renameField === true && textOf(row.outputFieldName)) || own
    return `$put(result, ${JSON.stringify(as)}, $values(${JSON.stringify(from)}))`
  })
  const missing = options.keepMissing === true ? '' : MISSING
  const merged = options.mergeLists === true ? '.flat(1)' : ''
  return `${byPaths(options, GET, PUT)}
const $values = (field) => $list(data).map((json) => $get(json, field))${missing}${merged}
const result = {}
${rows.join('\n')}
return result`
}

const MISSING =
  '.filter((value) => value !== undefined && value !== null).map((value) => (Array.isArray(value) ? value.filter((one) => one !== null) : value))'
