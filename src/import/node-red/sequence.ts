import type { Become, Part } from '../become.ts'
import { listOf, numberOf, textOf } from '../values.ts'
import type { Mapping, Place } from './mapping.ts'
import type { RedNode } from './red-node.ts'
import type { Writer } from './writer.ts'

/** Signs as people type them: `\n` is a line break. */
function typed(text: string): string {
  return text.replace(/\\([nrt])/g, (_, sign: string) => ({ n: '\n', r: '\r', t: '\t' })[sign]!)
}

/** A message for each part: what follows stands in a For each. */
const split: Mapping = (node, write) => {
  const { raw } = node
  const property = textOf(raw.property) || 'payload'
  const isLength = raw.spltType === 'len'
  const size = numberOf(raw.splt) ?? 1
  const sign = typed(raw.splt === undefined ? '\n' : textOf(raw.splt))
  const chunk = numberOf(raw.arraySplt) ?? 1
  const pieces = isLength
    ? `(value.match(/[\\s\\S]{1,${Math.max(1, Math.round(size))}}/g) ?? [])`
    : `value.split(${JSON.stringify(sign)})`
  const array =
    chunk > 1
      ? `Array.from({ length: Math.ceil(value.length / ${chunk}) }, (_, at) => value.slice(at * ${chunk}, (at + 1) * ${chunk}))`
      : 'value'
  const name = textOf(raw.addname)
  if (raw.stream === true) write.tell('It cut a stream; here it cuts each message by itself.')
  const code = `const msg = data
const value = ${write.get(property)}
if (value === undefined) return
const about = { id: \`\${run.id}/${node.id.replace(/[`\\$]/g, '')}\`, ${property === 'payload' ? '' : `property: ${JSON.stringify(property)}, `}...(msg.parts === undefined ? {} : { parts: msg.parts }) }
const made = (pieces, more) => pieces.map((piece, index) => {
  const next = $copy(msg)
  ${write.set(property, 'piece').replace('$set(msg', '$set(next')}
  next.parts = { ...about, ...more(index), index, count: pieces.length }
  return next
})
if (typeof value === 'string') return made(${pieces}, () => ({ type: 'string', ch: ${JSON.stringify(isLength ? '' : sign)} }))
if (Array.isArray(value)) return made(${array}, () => ({ type: 'array', len: ${chunk} }))
if (value === null || typeof value !== 'object') return [msg]
const keys = Object.keys(value)
return made(Object.values(value), (index) => ({ type: 'object', key: keys[index] }))${
    name === ''
      ? ''
      : `.map((next) => { ${write.set(name, 'next.parts.key').replace('$set(msg', '$set(next')}; return next })`
  }`
  return write.become({ main: { type: 'code', fields: { code: write.code(code) } } }, 'main.result')
}

/** Whether a node works on all the messages of a sequence, and not on one after the other. */
export function isOfSequences({ type, raw }: RedNode): boolean {
  if (type === 'join' || type === 'batch') return true
  return type === 'sort' && raw.targetType === 'seq'
}

/** The messages that come to it, as one list: from a For each, or by several wires through a Merge. */
function gathered(
  body: string,
  { node, write, place }: { node: RedNode; write: Writer; place: Place },
  gives = 'main.result'
): Become {
  const code = write.code(`const $messages = $list(data)
if ($messages.length === 0) return
${body}`)
  const main: Part = { type: 'code', fields: { code } }
  if (place.isList || place.inputs < 2) {
    if (!place.isList)
      write.tell('Messages of several runs are not brought together: it gets those of one run.')
    return write.become({ main }, gives)
  }
  const inputs = Math.min(10, place.inputs)
  if (place.inputs > 10)
    write.tell('Ten of its wires have an input of their own; further ones share the last.')
  const parts = {
    main,
    messages: {
      type: 'merge',
      title: `Messages for ${node.title}`.slice(0, 200),
      fields: { mode: 'List', inputs }
    }
  }
  return {
    ...write.become(parts, gives, [['messages.data', 'main.data']]),
    takes: (input) => `messages.in_${Math.min(inputs, Number(input) + 1)}`
  }
}

/** By how many messages it is done, where it says so; then it may give several. */
export function countOf({ raw }: RedNode): number {
  return raw.mode === 'custom' ? (numberOf(raw.count) ?? 0) : 0
}

const join: Mapping = (node, write, place) => {
  const { raw } = node
  const given = { node, write, place }
  if (raw.mode === 'reduce') return reduced(node, write, place)
  if (raw.mode !== 'custom') return gathered(AUTOMATIC, given)
  if (numberOf(raw.timeout))
    write.tell('It was also done after a time; here it is done when all messages of the run are there.')
  if (raw.accumulate === true || raw.accumulate === 'true')
    write.tell('It gave what it had after every message; here it gives all of them once.')
  const value = raw.propertyType === 'full' ? 'msg' : write.get(textOf(raw.property) || 'payload')
  const made = builtBy(raw, value, write)
  const count = countOf(node)
  const body = `const $made = ($messages) => {
  const $last = $messages.at(-1)
  ${made}
  const { parts, complete, ...$rest } = $last
  return { ...$rest, payload: $payload }
}`
  if (!place.isList && count !== 0 && count !== place.inputs)
    write.tell(
      `It waited for ${count} messages, whichever runs they came of; here it joins what the wires of one run bring.`
    )
  if (count === 0 || !place.isList) return gathered(`${body}\nreturn $made($messages)`, given)
  write.tell(
    `It gives a message of ${count} each; what is left over at the end waited there for more, and is left out.`
  )
  return gathered(
    `${body}
return Array.from({ length: Math.floor($messages.length / ${count}) }, (_, at) => $made($messages.slice(at * ${count}, (at + 1) * ${count})))`,
    given
  )
}

function builtBy(raw: RedNode['raw'], value: string, write: Writer): string {
  const values = `$messages.map((msg) => ${value})`
  switch (textOf(raw.build)) {
    case 'string':
      return `const $payload = ${values}.map((each) => typeof each === 'object' ? JSON.stringify(each) : String(each)).join(${JSON.stringify(typed(textOf(raw.joiner)))})`
    case 'object':
      return `const $payload = Object.fromEntries($messages.map((msg) => [String(${write.get(textOf(raw.key) || 'topic')}), ${value}]).filter(([key]) => key !== 'undefined' && key !== ''))`
    case 'merged':
      return `const $payload = Object.assign({}, ...${values}.filter((each) => typeof each === 'object'))`
    default:
      return `const $payload = ${values}`
  }
}

/** By what Split said of the parts. */
const AUTOMATIC = `const $groups = Object.values(Object.groupBy($messages, ({ parts }) => String(parts?.id)))
const $joined = $groups.map((group) => {
  const sorted = [...group].sort((a, b) => (a.parts?.index ?? 0) - (b.parts?.index ?? 0))
  const { parts = {}, ...rest } = sorted.at(-1)
  const property = (parts.property ?? 'payload').split('.')
  const values = sorted.map((each) => $get(each, property))
  const joined = parts.type === 'string' ? values.join(parts.ch ?? '')
    : parts.type === 'object' ? Object.fromEntries(sorted.map(({ parts: { key } }, at) => [key, values[at]]))
    : (parts.len ?? 1) > 1 ? values.flat() : values
  $set(rest, property, joined)
  return parts.parts === undefined ? rest : { ...rest, parts: parts.parts }
})
return $joined.length === 1 ? $joined[0] : $joined`

/** JSONata over all messages: `$A` is what it has come to, `$I` and `$N` are the place and the number. */
function reduced(node: RedNode, write: Writer, place: Place): Become {
  const { raw } = node
  const list = raw.reduceRight === true ? '$reverse($)' : '$'
  const init = initial(raw.reduceInitType, textOf(raw.reduceInit))
  const fix = textOf(raw.reduceFixup).trim()
  const expression = `(
  $all := [${list}];
  $N := $count($all);
  $A := $reduce($append([${init === '[]' ? '[[]]' : init}], $all), function($A, $m, $i) { ( $I := $i - 1; $m.(${write.expression(textOf(raw.reduceExp))}) ) });
  $merge([$sift($all[-1], function($v, $k) { $k != "parts" }), { "payload": (${fix === '' ? '$A' : write.expression(fix)}) }])
)`
  const become = gathered('return $messages', { node, write, place })
  return {
    ...become,
    parts: { ...become.parts, reduced: { type: 'transform', title: node.title, fields: { expression } } },
    links: [...(become.links ?? []), ['main.result', 'reduced.data']],
    gives: () => 'reduced.data'
  }
}

function initial(type: unknown, text: string): string {
  if (type === 'str') return JSON.stringify(text)
  if (type === 'jsonata' || type === 'json') return text.trim() || 'null'
  return Number.isFinite(Number(text)) ? String(Number(text)) : JSON.stringify(text)
}

const sort: Mapping = (node, write, place) => {
  const { raw } = node
  const isSequence = raw.targetType === 'seq'
  const target = textOf(raw.target) || 'payload'
  const keyType = textOf(isSequence ? raw.seqKeyType : raw.msgKeyType) || (isSequence ? 'msg' : 'elem')
  const key = textOf(isSequence ? raw.seqKey : raw.msgKey) || 'payload'
  const isDown = textOf(raw.order).startsWith('desc')
  const isNumber = raw.as_num === true
  if (keyType === 'jsonata') return sortedBy(key, { node, write, place, isSequence, isDown, target })
  const order = `const $key = ${keyType === 'elem' ? '(each) => each' : `(msg) => ${write.get(key)}`}
const $value = ${isNumber ? '(each) => Number($key(each))' : '$key'}
const $sorted = (list) => [...list].sort((a, b) => { const [x, y] = [$value(a), $value(b)]; return x === y ? 0 : ${isDown ? '(x > y ? -1 : 1)' : '(x > y ? 1 : -1)'} })`
  if (isSequence)
    return gathered(
      `${order}\nreturn $sorted($messages).map((each, index) => ({ ...each, ...(each.parts && { parts: { ...each.parts, index } }) }))`,
      { node, write, place }
    )
  return write.single(`${order}
const list = ${write.get(target)}
if (!Array.isArray(list)) return msg
${write.set(target, '$sorted(list)')}
return msg`)
}

interface Sorting {
  readonly node: RedNode
  readonly write: Writer
  readonly place: Place
  readonly isSequence: boolean
  readonly isDown: boolean
  readonly target: string
}

function sortedBy(key: string, { node, write, place, isSequence, isDown, target }: Sorting): Become {
  const by = `$sort(LIST, function($a, $b) { $a.(${write.expression(key)}) ${isDown ? '<' : '>'} $b.(${write.expression(key)}) })`
  if (!isSequence) {
    const name = JSON.stringify(target)
    const expression = `$merge([$, { ${name}: [${by.replace('LIST', target)}] }])`
    return write.become({ main: { type: 'transform', fields: { expression } } }, 'main.data')
  }
  const become = gathered('return $messages', { node, write, place })
  return {
    ...become,
    parts: {
      ...become.parts,
      sorted: { type: 'transform', title: node.title, fields: { expression: `[${by.replace('LIST', '$')}]` } }
    },
    links: [...(become.links ?? []), ['main.result', 'sorted.data']],
    gives: () => 'sorted.data'
  }
}

/** Puts messages into groups, by number or by topic. */
const batch: Mapping = (node, write, place) => {
  const { raw } = node
  const mode = textOf(raw.mode) || 'count'
  if (mode === 'interval')
    write.tell('It grouped what came in a time; here the messages of a run are one group.')
  const size = Math.max(1, numberOf(raw.count) ?? 10)
  const step = Math.max(1, size - (numberOf(raw.overlap) ?? 0))
  const topics = listOf(raw.topics).map((each) => textOf((each as { topic?: unknown })?.topic))
  const groups: Readonly<Record<string, string>> = {
    count: `const $groups = []
for (let at = 0; at < $messages.length; at += ${step}) { $groups.push($messages.slice(at, at + ${size})); if (at + ${size} >= $messages.length) break }`,
    interval: 'const $groups = [$messages]',
    concat: `const $groups = [${JSON.stringify(topics)}.flatMap((topic) => $messages.filter((msg) => msg.topic === topic))]`
  }
  if (mode === 'count') write.tell('The last group may be smaller; there it waited for more messages.')
  return gathered(
    `${groups[mode] ?? groups.count}
return $groups.flatMap((group, at) => group.map((msg, index) => ({ ...msg, parts: { id: \`\${run.id}/\${at}\`, type: 'array', index, count: group.length } })))`,
    { node, write, place }
  )
}

export const SEQUENCES: Readonly<Record<string, Mapping>> = { split, join, sort, batch }
