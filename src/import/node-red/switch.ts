import { slugify } from '../../flows/slug.ts'
import { placeholder } from '../expressions/template-text.ts'
import { type Members, membersIn, textOf } from '../values.ts'
import type { Mapping } from './mapping.ts'
import { pathOf } from './property.ts'
import type { RedNode } from './red-node.ts'
import type { Writer } from './writer.ts'

/** In JavaScript, of `a` (the property), `b` and `c` (what it is held against). */
const ASKS: Readonly<Record<string, string>> = {
  eq: 'a == b',
  neq: 'a != b',
  lt: 'a < b',
  lte: 'a <= b',
  gt: 'a > b',
  gte: 'a >= b',
  btwn: '(a >= b && a <= c) || (a <= b && a >= c)',
  cont: 'String(a).includes(b)',
  true: 'a === true',
  false: 'a === false',
  null: 'a === undefined || a === null',
  nnull: 'a !== undefined && a !== null',
  empty: '$size(a) === 0',
  nempty: '$size(a) > 0',
  head: 'msg.parts.index < Number(b)',
  tail: 'msg.parts.count - Number(b) <= msg.parts.index',
  index: 'Number(b) <= msg.parts.index && msg.parts.index <= Number(c)',
  hask: "a !== undefined && a !== null && typeof b !== 'object' && Object.hasOwn(Object(a), String(b))",
  jsonata_exp: 'b === true'
}
const SIZE = `const $size = (a) => (typeof a === 'string' || Array.isArray(a) ? a.length : typeof a === 'object' && a !== null ? Object.keys(a).length : -1)`
const TYPES: Readonly<Record<string, string>> = {
  array: 'Array.isArray(a)',
  buffer: 'Array.isArray(a)',
  json: '$isJson(a)',
  null: 'a === null',
  number: "typeof a === 'number' && !Number.isNaN(a)",
  object: "typeof a === 'object' && !Array.isArray(a) && a !== null"
}
const IS_JSON = `const $isJson = (a) => { try { JSON.parse(a); return true } catch { return false } }`

/** Cases of one text each lead by a Switch; all else is asked by code. */
export const switchNode: Mapping = (node, write) => {
  const rules = membersIn(node.raw.rules).slice(0, 50)
  const plain = plainSwitch(node, rules)
  if (plain !== undefined) return plain
  const a = askedOf(node, write)
  const isFirst = textOf(node.raw.checkall) === 'false'
  const lines = rules.map((rule, at) => {
    const isElse = rule.t === 'else'
    const asked = isElse ? '!$any' : `$ask(${at})`
    const when = isFirst ? (isElse ? '!$any' : `!$any && ${asked}`) : asked
    return `if (${when}) { $out.o${at} = msg; $any = true }`
  })
  const asks = rules.map((rule) => askOf(rule, write))
  const body = `${SIZE}
${IS_JSON}
const a = ${a}
const $asks = [${asks.map((ask) => `() => ${ask}`).join(', ')}]
const $ask = (at) => { try { return $asks[at]() } catch { return false } }
const $out = {}
let $any = false
${lines.join('\n')}
return $out`
  return write.outputs(body, Math.max(rules.length, Math.min(50, node.wires.length)))
}

/** What the rules ask about. */
function askedOf({ raw }: RedNode, write: Writer): string {
  const property = textOf(raw.property) || 'payload'
  return write.value(textOf(raw.propertyType) || 'msg', property)
}

function askOf(rule: Members, write: Writer): string {
  const t = textOf(rule.t)
  const isNumber = rule.vt === undefined && textOf(rule.v) !== '' && !Number.isNaN(Number(rule.v))
  const type = textOf(rule.vt) || (isNumber ? 'num' : 'str')
  const b =
    t === 'istype'
      ? JSON.stringify(textOf(rule.v))
      : write.value(t === 'jsonata_exp' ? 'jsonata' : type, rule.v)
  const isSecondNumber = rule.v2t === undefined && textOf(rule.v2) !== '' && !Number.isNaN(Number(rule.v2))
  const c =
    rule.v2 === undefined
      ? 'undefined'
      : write.value(textOf(rule.v2t) || (isSecondNumber ? 'num' : 'str'), rule.v2)
  if (type === 'prev' || rule.v2t === 'prev')
    write.tell('The value before this one is not known here: look at what it asks.')
  if (t === 'istype')
    return (
      TYPES[textOf(rule.vt)] ??
      TYPES[textOf(rule.v)] ??
      `typeof a === ${JSON.stringify(textOf(rule.vt) || textOf(rule.v))} && a !== null`
    )
  if (t === 'regex')
    return `new RegExp(${b}, ${JSON.stringify(rule.case === true ? 'i' : '')}).test(String(a))`
  const how = Object.hasOwn(ASKS, t) ? ASKS[t]! : 'false'
  return `((b, c) => ${how})(${b}, ${c})`
}

/** Where each rule is another text, at most one of them holds, and the last may be for all others. */
function plainSwitch(node: RedNode, rules: readonly Members[]) {
  const { raw } = node
  const path = pathOf(textOf(raw.property) || 'payload')
  const value = path?.every((step) => typeof step !== 'object')
    ? placeholder(path.map((step) => String(step)))
    : undefined
  const asked = rules.filter(({ t }) => t !== 'else')
  const arePlain = asked.every(
    ({ t, v, vt }) => t === 'eq' && (vt === 'str' || vt === undefined) && textOf(v).trim() !== ''
  )
  const isLast = rules.every(({ t }, at) => t !== 'else' || at === rules.length - 1)
  const cases = asked.map(({ v }) => textOf(v))
  const isMsg = (textOf(raw.propertyType) || 'msg') === 'msg'
  if (!arePlain || !isLast || !isMsg || value === undefined || asked.length === 0) return undefined
  if (new Set(cases).size < cases.length || cases.some((text) => text !== text.trim())) return undefined
  const slugs = slugsOf(cases)
  return {
    verdict: 'exact' as const,
    note: '',
    parts: { main: { type: 'switch', fields: { value, cases } } },
    takes: () => 'main.data',
    gives: (output: string) => `main.${slugs[Number(output)] ?? 'default'}`
  }
}

/** As ports of a list are named. */
function slugsOf(texts: readonly string[]): string[] {
  const taken = new Set(['data', 'default'])
  return texts.map((text) => {
    const base = slugify(text) || 'case'
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`
    taken.add(name)
    return name
  })
}
