import { membersIn, membersOf, textOf } from '../values.ts'
import { type Mapping, perItem } from './mapping.ts'

/** Names are paths with dots. */
const MOVED = `const $moved = ($item, from, to) => {
  const keys = from.split('.'), last = keys.pop()
  const source = keys.reduce((inner, key) => inner?.[key], $item)
  if (typeof source !== 'object' || source === null || !(last in source)) return
  const value = source[last]
  delete source[last]
  const target = to.split('.'), name = target.pop()
  target.reduce((inner, key) => (inner[key] = typeof inner[key] === 'object' && inner[key] !== null ? inner[key] : {}), $item)[name] = value
}`

/** Gives members other names, by a list or by a pattern. */
export const rename: Mapping = (node, write, place) => {
  const { params } = node
  const keys = membersIn(membersOf(params.keys).key)
    .filter(({ currentKey, newKey }) => textOf(currentKey) !== '' && textOf(newKey) !== '')
    .map(({ currentKey, newKey }) => `$moved($item, ${write.js(currentKey)}, ${write.js(newKey)})`)
  const patterns = membersIn(membersOf(membersOf(params.additionalOptions).regexReplacement).replacements)
  const replaced = patterns
    .filter(({ searchRegex }) => textOf(searchRegex) !== '')
    .map(({ searchRegex, replaceRegex, depth, options }) => {
      const flags = membersOf(options).caseInsensitive === true ? 'i' : ''
      const deep = Number(depth ?? membersOf(options).depth ?? -1)
      return `$item = $renamed($item, new RegExp(${write.js(searchRegex)}, '${flags}'), ${write.js(replaceRegex ?? '')}, ${Number.isFinite(deep) ? deep : -1})`
    })
  const helpers = [
    ...(keys.length > 0 ? [MOVED] : []),
    ...(replaced.length > 0
      ? [
          `const $renamed = (value, pattern, to, depth, at = 0) => typeof value !== 'object' || value === null || Array.isArray(value) || (depth >= 0 && at > depth) ? value : Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.replace(pattern, to), $renamed(inner, pattern, to, depth, at + 1)]))`
        ]
      : [])
  ]
  const body = ['let $item = JSON.parse(JSON.stringify($json))', ...keys, ...replaced, 'return $item'].join(
    '\n'
  )
  return perItem(write, place, body, helpers)
}
