import { pathOf, piecesOf } from './python-template.ts'

/** Python writes a text as `'v'`, and a list as `[1, 'a']`. */
const PYTHON = `const repr = (value) => {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (Array.isArray(value)) return '[' + value.map(repr).join(', ') + ']'
  if (typeof value === 'object') return '{' + Object.entries(value).map(([key, inner]) => repr(key) + ': ' + repr(inner)).join(', ') + '}'
  if (typeof value !== 'string') return String(value)
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
  return quote + value.replaceAll('\\\\', '\\\\\\\\').replaceAll('\\n', '\\\\n').replaceAll('\\r', '\\\\r').replaceAll('\\t', '\\\\t').replaceAll(quote, '\\\\' + quote) + quote
}
const text = (value) => (value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value))
const wide = (shown, spec) => {
  const [, fill = ' ', sign = '<', width] = /^(?:(.)?([<>^]))?(\\d{1,4})$/.exec(String(spec)) ?? []
  const room = width === undefined ? 0 : Math.max(0, Number(width) - shown.length), left = sign === '>' ? room : sign === '^' ? Math.floor(room / 2) : 0
  return fill.repeat(left) + shown + fill.repeat(room - left)
}`

/** The template as code, for what no template of ours prints: `!r`, `!a`, and widths that are values. */
export function pythonCode(source: string, separator: string): string {
  const parts = [...piecesOf(source)].map(({ kind, text }) =>
    kind === 'text' ? JSON.stringify(text) : fieldCode(text)
  )
  const joined = parts.length === 0 ? '""' : parts.join(' + ')
  return `// The template of Langflow: ${source.replace(/\s+/g, ' ').slice(0, 300)}
${PYTHON}
const line = (item) => ${joined}
return Array.isArray(data) ? data.map(line).join(${JSON.stringify(separator)}) : line(data ?? {})`
}

function fieldCode(field: string): string {
  const [, path = '', conversion = '', spec = ''] =
    /^([^{}!:]*)(?:!([rsa]))?(?::((?:[^{}]|\{[^{}]*\})*))?$/.exec(field) ?? []
  const keys = pathOf(path)
  if (keys === undefined) return JSON.stringify(`{${field}}`)
  const value = reading(keys)
  const [root] = keys
  // What is not there is a text of nothing, and has quotes.
  const shown =
    conversion === 'r' || conversion === 'a'
      ? `repr(item[${JSON.stringify(root)}] === undefined ? '' : ${value})`
      : `text(${value})`
  const width = /^\{([^{}]*)\}$/.exec(spec)?.[1]
  if (width !== undefined) return `wide(${shown}, ${reading(pathOf(width) ?? [width])})`
  return spec === '' ? shown : `wide(${shown}, ${JSON.stringify(spec)})`
}

function reading(keys: readonly string[]): string {
  return `item${keys.map((key, at) => `${at === 0 ? '' : '?.'}[${JSON.stringify(key)}]`).join('')}`
}
