import { membersOf, textOf } from '../values.ts'
import { handedOn } from './emptiness.ts'
import { type Mapping, made } from './mapping.ts'
import { byPaths, fieldNamesCode, GET, WITHOUT } from './paths.ts'

/** An item for each member of a field; several fields are read side by side. */
export const splitOut: Mapping = (node, write, { onEmpty }) => {
  const { params } = node
  const options = membersOf(params.options)
  const include = textOf(params.include)
  const fields = `${fieldNamesCode(params.fieldToSplitOut, write)}.map((name) => name.replace(/^\\$json\\./, ''))`
  const isAlone = include === '' || include === 'noOtherFields'
  const put = isAlone
    ? `if (typeof value === 'object' && value !== null && $fields.length === 1 && $as.length === 0) $rows[at] = { ...$rows[at], ...value }
      else $rows[at][$as[place] ?? field] = value`
    : '$rows[at][$as[place] ?? field] = value'
  const lines = [
    byPaths(options, GET, WITHOUT),
    `const $fields = ${fields}, $as = ${fieldNamesCode(options.destinationFieldName, write)}`,
    `const $items = $list(data).flatMap((json) => {
  const $rows = []
  $fields.forEach((field, place) => {
    const found = $get(json, field)
    const members = found === undefined ? [] : typeof found === 'object' && found !== null ? Object.values(found) : [found]
    members.forEach((value, at) => {
      $rows[at] ??= {}
      ${put}
    })
  })
  return $rows${around(include, fieldNamesCode(params.fieldsToInclude, write))}
})`,
    handedOn('$items', onEmpty)
  ]
  return made({ type: 'code', fields: { code: write.code(lines.join('\n')) } }, write, {
    takes: 'data',
    gives: 'result'
  })
}

/** What of the item each of its members keeps. */
function around(include: string, names: string): string {
  if (include === 'allOtherFields') return '.map((row) => ({ ...$without(json, $fields), ...row }))'
  if (include !== 'selectedOtherFields') return ''
  return `.map((row) => ({ ...row, ...Object.fromEntries(${names}.map((name) => [name, $get(json, name)])) }))`
}
