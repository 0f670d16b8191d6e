import type { Part } from '../become.ts'
import { OWN_ID } from '../references.ts'
import { textOf } from '../values.ts'
import type { Mapping } from './mapping.ts'
import type { Writer } from './writer.ts'

/** Texts become values and the other way round, by what comes. */
const json: Mapping = (node, write) => {
  const { raw } = node
  const property = textOf(raw.property) || 'payload'
  const action = textOf(raw.action)
  const read = `if (typeof value === 'string') {\n  ${write.set(property, 'JSON.parse(value)')}\n}`
  const written = `if (typeof value !== 'string' && value !== undefined) {\n  ${write.set(property, `JSON.stringify(value${raw.pretty === true ? ', null, 4' : ''})`)}\n}`
  const both = action === 'obj' ? read : action === 'str' ? written : `${read} else ${written}`
  return write.single(`const value = ${write.get(property)}\n${both}\nreturn msg`)
}

/** A component works on the property; code beside it says what to give it, and puts its result back. */
function through(
  write: Writer,
  given: { readonly property: string; readonly part: Part; readonly put: string; readonly from: string }
) {
  const { property, part, put, from } = given
  const { title } = write.node
  const value = `const msg = data\nreturn ${write.get(property)}`
  return write.become(
    {
      main: part,
      value: {
        type: 'code',
        title: `${title}: ${property}`.slice(0, 200),
        fields: { code: write.code(value) }
      },
      put: { type: 'code', title: `${title}: the message`.slice(0, 200), fields: { code: write.code(put) } }
    },
    'put.result',
    [
      ['value.result', 'main.data'],
      [`main.${from}`, 'put.data']
    ],
    { takes: 'put.data', feeds: ['value.data'] }
  )
}

/** Whether it sends a message for each row. */
export function sendsRows(raw: Readonly<Record<string, unknown>>): boolean {
  return (textOf(raw.multi) || 'one') === 'one'
}

/** Text becomes rows, and rows become text. */
const csv: Mapping = (node, write) => {
  const { raw } = node
  const separator = textOf(raw.sep).replace(/^\\t$/, '\t') || ','
  const columns = textOf(raw.temp)
    .split(',')
    .map((name) => name.trim().replace(/^"|"$/g, ''))
    .filter((name) => name !== '')
  const end = (textOf(raw.ret) || '\\n').replaceAll('\\n', '\n').replaceAll('\\r', '\r')
  const isHeaded = raw.hdrin === true || raw.hdrin === 'true'
  const isWithHead = raw.hdrout === true || raw.hdrout === 'all' || raw.hdrout === 'once'
  const rows = sendsRows(raw)
    ? `return rows.map((payload, index) => ({ ...$copy(msg), payload, columns: names.join(','), parts: { id: run.id + '/${node.id.replace(/[`'\\$]/g, '')}', type: 'array', index, count: rows.length } }))`
    : `return { ...msg, payload: rows, columns: names.join(',') }`
  const whole = sendsRows(raw)
    ? '[{ ...msg, payload: lines.join(end) + end }]'
    : '{ ...msg, payload: lines.join(end) + end }'
  const code = `const msg = data
const separator = ${JSON.stringify(separator)}, end = ${JSON.stringify(end)}
const given = ${JSON.stringify(columns)}
const value = msg.payload
if (value === undefined) return ${sendsRows(raw) ? '[msg]' : 'msg'}
if (typeof value === 'object' && value !== null) {
  const items = Array.isArray(value) ? value : [value]
  const names = given.length > 0 ? given : typeof msg.columns === 'string' ? msg.columns.split(',') : [...new Set(items.flatMap((item) => Array.isArray(item) ? [] : Object.keys(item ?? {})))]
  const cell = (each) => { const text = each === undefined || each === null ? '' : typeof each === 'object' ? JSON.stringify(each) : String(each); return text.includes(separator) || /["\\r\\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text }
  const isFlat = items.every((item) => typeof item !== 'object' || item === null)
  const lines = isFlat ? [items.map(cell).join(separator)] : items.map((item) => (Array.isArray(item) ? item : names.map((name) => (item?.[name] === null ? 'null' : item?.[name]))).map(cell).join(separator))
  ${isWithHead ? 'if (names.length > 0 && !isFlat) lines.unshift(names.map(cell).join(separator))' : ''}
  return ${whole}
}
const cells = []
let row = [], text = '', isQuoted = false, wasQuoted = false
const source = String(value)
const push = () => { row.push(wasQuoted ? text : ${raw.strings === false ? 'text' : "text.trim() !== '' && !/^0\\d/.test(text.trim()) && Number.isFinite(Number(text)) ? Number(text) : text"}); text = ''; wasQuoted = false }
for (let at = 0; at < source.length; at++) {
  const sign = source[at]
  if (isQuoted) {
    if (sign === '"' && source[at + 1] === '"') { text += '"'; at++ }
    else if (sign === '"') isQuoted = false
    else text += sign
  } else if (sign === '"') { isQuoted = true; wasQuoted = true }
  else if (sign === separator) push()
  else if (sign === '\\n' || sign === '\\r') { if (row.length > 0 || text !== '' || wasQuoted) { push(); cells.push(row); row = [] } }
  else text += sign
}
if (row.length > 0 || text !== '' || wasQuoted) { push(); cells.push(row) }
cells.splice(0, ${Math.max(0, Number(raw.skip) || 0)})
const first = ${isHeaded ? 'cells.shift()' : 'undefined'}
const names = first !== undefined ? first.map(String) : given
const rows = cells.map((row) => Object.fromEntries(row.map((each, at) => [names[at] ?? (names.length === 0 ? 'col' + (at + 1) : ''), each]).filter(([name, each]) => name !== '' && each !== ${raw.include_empty_strings === true ? 'undefined' : "''"})))
${rows}`
  if (raw.hdrout === 'once') write.tell('The names of the columns are written into each text.')
  return write.become({ main: { type: 'code', fields: { code: write.code(code) } } }, 'main.result')
}

/** What elements may say that people ask for. */
const ATTRIBUTES = [
  'href',
  'src',
  'class',
  'id',
  'title',
  'alt',
  'name',
  'content',
  'value',
  'type',
  'rel',
  'data-id'
]

const html: Mapping = (node, write) => {
  const { raw } = node
  const property = textOf(raw.property) || 'payload'
  const out = textOf(raw.outproperty) || property
  const each = textOf(raw.tag)
  if (each === '') return undefined
  const ret = textOf(raw.ret) || 'html'
  const isAttributes = ret === 'attr' || ret === 'compl'
  if (ret === 'text') write.tell('Blanks around a text are left out.')
  if (ret === 'html') write.tell('It gives the text of each element, and not the HTML inside.')
  if (isAttributes) write.tell(`Of attributes it gives ${ATTRIBUTES.join(', ')}: name others in "values".`)
  const values = isAttributes ? Object.fromEntries(ATTRIBUTES.map((name) => [name, `@${name}`])) : {}
  const found = isAttributes
    ? 'found.map((each) => Object.fromEntries(Object.entries(each).filter(([, value]) => value !== null)))'
    : 'found'
  const result =
    textOf(raw.as) === 'multi'
      ? `return list.map((each, index) => { const next = $copy(msg); ${write.set(out, 'each').replace('$set(msg', '$set(next')}; next.parts = { id: run.id, type: 'string', ch: '', index, count: list.length }; return next })`
      : `${write.set(out, 'list')}\nreturn msg`
  const put = `const msg = data
const found = nodes["${OWN_ID}"]?.data
if (!Array.isArray(found)) return
const list = ${found}
${result}`
  return through(write, { property, part: { type: 'html', fields: { each, values } }, from: 'data', put })
}

/** XML is read by Convert, and named as Node-RED names it. */
const xml: Mapping = (node, write) => {
  const { raw } = node
  const property = textOf(raw.property) || 'payload'
  const attributes = textOf(raw.attr) || '$'
  const text = textOf(raw.chr) || '_'
  const code = `const msg = data
const named = (value) => {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return value
  const out = {}
  const own = Object.entries(value).filter(([name]) => name.startsWith('@'))
  if (own.length > 0) out[${JSON.stringify(attributes)}] = Object.fromEntries(own.map(([name, each]) => [name.slice(1), each]))
  for (const [name, each] of Object.entries(value))
    if (name === '#text') out[${JSON.stringify(text)}] = each
    else if (!name.startsWith('@')) out[name] = (Array.isArray(each) ? each : [each]).map(named)
  return out
}
const read = nodes["${OWN_ID}"]?.data
if (read === undefined) return
const [root, inside] = Object.entries(read)[0] ?? []
${write.set(property, 'root === undefined ? read : { [root]: named(inside) }')}
return msg`
  write.tell('It reads XML; where it got an object to write, use a Convert with "Data to XML".')
  return through(write, {
    property,
    part: { type: 'convert', fields: { mode: 'XML to data' } },
    put: code,
    from: 'data'
  })
}

export const PARSERS: Readonly<Record<string, Mapping>> = { json, csv, html, xml }
