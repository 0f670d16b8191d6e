import type { Become, Part } from '../become.ts'
import { OWN_ID } from '../references.ts'
import { numberOf, textOf } from '../values.ts'
import type { Mapping } from './mapping.ts'
import { isMustache, MUSTACHE, mustacheCode } from './mustache.ts'
import type { RedNode } from './red-node.ts'
import type { Writer } from './writer.ts'

const template: Mapping = (node, write) => {
  const { raw } = node
  const source = textOf(raw.template)
  const isPlain = textOf(raw.syntax) === 'plain' || !isMustache(source)
  const written = isPlain ? JSON.stringify(source) : mustacheCode(source, write)
  if (written === undefined) return undefined
  const output = textOf(raw.output)
  if (output === 'yaml') return undefined
  const helpers = isPlain ? '' : `${MUSTACHE}\nconst stack = [msg]\n`
  const value = output === 'json' ? 'JSON.parse($text)' : '$text'
  const field = textOf(raw.field) || 'payload'
  const fieldType = textOf(raw.fieldType) || 'msg'
  return write.single(
    `${helpers}const $text = ${written}\n${target(fieldType, field, value, write)}\nreturn msg`
  )
}

/** Into the message, or into what is kept. */
function target(type: string, field: string, value: string, write: Writer): string {
  if (type !== 'flow' && type !== 'global') return write.set(field, value)
  const variable = write.keeps(type, field)
  return variable === undefined ? '' : `${variable} = ${value}`
}

const range: Mapping = (node, write) => {
  const { raw } = node
  const [minin, maxin, minout, maxout] = [raw.minin, raw.maxin, raw.minout, raw.maxout].map(
    (value) => numberOf(value) ?? 0
  ) as [number, number, number, number]
  const [low, high, from, to] =
    minin > maxin ? [maxin, minin, maxout, minout] : [minin, maxin, minout, maxout]
  const isRound = raw.round === true
  const [least, most] = isRound ? [Math.ceil(from), Math.floor(to)] : [from, to]
  const property = textOf(raw.property) || 'payload'
  const before: Readonly<Record<string, string>> = {
    drop: `if (n < ${low} || n > ${high}) return`,
    clamp: `n = Math.min(${high}, Math.max(${low}, n))`,
    roll: `n = (((n - ${low}) % ${high - low}) + ${high - low}) % ${high - low} + ${low}`
  }
  return write.single(`const value = ${write.get(property)}
if (value === undefined) return msg
let n = Number(value)
if (Number.isNaN(n)) return
${before[textOf(raw.action)] ?? ''}
const scaled = ((n - ${low}) / ${high - low}) * ${most - least} + ${least}
${write.set(property, isRound ? 'Math.round(scaled)' : 'scaled')}
return msg`)
}

/** Lets a value through where it differs from the one before, which Keep knows. */
const filter: Mapping = (node, write) => {
  const { raw } = node
  const kept = write.keeps('node', 'before')!
  const how = textOf(raw.func) || 'rbe'
  const property = textOf(raw.property) || 'payload'
  const isEach = raw.septopics !== false
  const topic = write.get(textOf(raw.topi) || 'topic')
  const isPercent = textOf(raw.gap).endsWith('%')
  const gap = numberOf(textOf(raw.gap).replace('%', '')) ?? 0
  const inout = textOf(raw.inout) || 'out'
  const start = numberOf(raw.start)
  const band = `const n = Number.parseFloat(value)
if (Number.isNaN(n)) return
let last = before[topic]
${how.startsWith('narrowband') ? `if (last === undefined) last = ${start ?? 'n'}` : ''}
const gap = ${isPercent ? `Math.abs((last ?? 0) * ${gap} / 100)` : gap}
if (last === undefined) last = n - gap - 1
const apart = Math.abs(n - last)
const passes = ${how.startsWith('narrowband') ? `apart < gap${how === 'narrowband' ? ' || apart === gap' : ''}` : `apart > gap${how === 'deadbandEq' ? ' || apart === gap' : ''}`}
before[topic] = ${inout === 'in' ? 'n' : 'passes ? n : last'}`
  const change = `const passes = !$same(value, before[topic])${how === 'rbei' ? ' && Object.hasOwn(before, topic)' : ''}
before[topic] = value`
  return write.single(`const before = $copy(${kept} ?? {})
${kept} = before
const topic = ${isEach ? `String(${topic} || '_no_topic')` : "'_no_topic'"}
if (Object.hasOwn(msg, 'reset')) { ${isEach ? `if (msg.topic) delete before[topic]; else ` : ''}for (const each of Object.keys(before)) delete before[each] }
const value = ${write.get(property)}
if (value === undefined) return
${how === 'rbe' || how === 'rbei' ? change : band}
return passes ? msg : undefined`)
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  millisecond: 1,
  milliseconds: 1,
  s: 1_000,
  second: 1_000,
  seconds: 1_000,
  min: 60_000,
  minute: 60_000,
  minutes: 60_000,
  hr: 3_600_000,
  hour: 3_600_000,
  hours: 3_600_000,
  day: 86_400_000,
  days: 86_400_000
}

/** `1.5s` of 1500 ms; nothing where there is nothing to wait for. */
function spanOf(count: unknown, unit: unknown): string {
  const ms = (numberOf(count) ?? 0) * (UNITS[textOf(unit)] ?? 1_000)
  return `${Math.max(0.001, Math.min(ms, 31_536_000_000) / 1_000)}s`
}

const delay: Mapping = (node, write, { isInRegion }) => {
  const { raw } = node
  const kind = textOf(raw.pauseType) || 'delay'
  if (kind === 'delay') return wait(spanOf(raw.timeout, raw.timeoutUnits), write)
  if (kind === 'random') {
    write.tell('It waited for a random time; here it is the mean of the shortest and the longest.')
    const mean = ((numberOf(raw.randomFirst) ?? 1) + (numberOf(raw.randomLast) ?? 5)) / 2
    return wait(spanOf(mean, raw.randomUnits), write)
  }
  if (kind === 'delayv') {
    const code = `const ms = Number(data.delay)\nreturn { for: \`\${Math.max(0.001, (Number.isNaN(ms) || data.delay === undefined ? ${(numberOf(raw.timeout) ?? 5) * (UNITS[textOf(raw.timeoutUnits)] ?? 1_000)} : ms) / 1000)}s\` }`
    return write.become(
      {
        main: { type: 'delay', fields: { for: `{$nodes.${OWN_ID}-time.result.for}` } },
        time: { type: 'code', title: 'How long', fields: { code } }
      },
      'main.data',
      [['time.result', 'main.data']],
      { feeds: ['time.data'] }
    )
  }
  const rate = (UNITS[textOf(raw.rateUnits)] ?? 1_000) * (numberOf(raw.nbRateUnits) ?? 1)
  const apart = rate / (numberOf(raw.rate) || 1)
  if (isInRegion) {
    write.tell('The messages of a run come one after the other, each after its pause.')
    return wait(spanOf(apart, 'ms'), write)
  }
  write.tell(
    'It let so many messages through in a time. Runs are limited by the settings of the flow, or of the connection that a request uses: here each goes on at once.'
  )
  return write.become({ main: { type: 'transform', fields: {}, disabled: true } }, 'main.data')
}

function wait(span: string, write: Writer): Become {
  return write.become({ main: { type: 'delay', fields: { for: span } } }, 'main.data')
}

/** Sends one value, waits, and sends another. */
const trigger: Mapping = (node, write) => {
  const { raw } = node
  const first = sentBy(raw.op1type, raw.op1, write)
  const second = sentBy(raw.op2type, raw.op2, write)
  const span = spanOf(raw.duration, raw.units ?? 'ms')
  const isSecond = numberOf(raw.outputs) === 2
  const isShort = (numberOf(raw.duration) ?? 0) === 0
  const parts: Record<string, Part> = {}
  if (isShort || (numberOf(raw.duration) ?? 0) < 0)
    write.tell('It waited to be reset, or sent again and again; here it sends once for each message.')
  else if (raw.extend === true || raw.extend === 'true')
    write.tell('A further message began its time anew; here each message has its own.')
  else write.tell('While it waited it took no other message; here each message has its own time.')
  if (first !== undefined)
    parts.main = { type: 'code', fields: { code: write.code(`const msg = data\n${first}\nreturn msg`) } }
  const isWaiting = second !== undefined && !isShort
  if (sendsTwice(node)) {
    const code = `const msg = data
const $first = (() => { const msg = $copy(data); ${first}; return msg })()
const $second = (() => { const msg = $copy(data); ${second}; return msg })()
return [{ ...$first, _wait: '0.001s' }, { ...$second, _wait: '${span}' }]`
    return write.become({ main: { type: 'code', fields: { code: write.code(code) } } }, 'main.result')
  }
  const from = first === undefined ? 'main' : 'later'
  if (isWaiting) {
    parts[from] = {
      type: 'delay',
      ...(first !== undefined && { title: `${node.title}: ${span}` }),
      fields: { for: span }
    }
    parts.second = {
      type: 'code',
      title: `${node.title}: then`.slice(0, 200),
      fields: { code: write.code(`const msg = data\n${second}\nreturn msg`) }
    }
  }
  if (Object.keys(parts).length === 0) parts.main = { type: 'transform', fields: {}, disabled: true }
  const begins = parts.main?.type === 'code' ? 'main.result' : 'main.data'
  const gives = (output: string) => {
    if (!isWaiting) return begins
    if (first === undefined || output === '1' || !isSecond) return 'second.result'
    return begins
  }
  const links: [string, string][] = isWaiting ? [[`${from}.data`, 'second.data']] : []
  return write.become(parts, gives, links, {
    feeds: first !== undefined && isWaiting ? ['later.data'] : []
  })
}

/** Two messages by one output: what follows runs for each of them. */
export function sendsTwice({ raw }: RedNode): boolean {
  const isBoth = raw.op1type !== 'nul' && raw.op2type !== 'nul'
  return isBoth && numberOf(raw.outputs) !== 2 && (numberOf(raw.duration) ?? 250) > 0
}

/** Undefined where nothing is sent. */
function sentBy(type: unknown, value: unknown, write: Writer): string | undefined {
  const kind = textOf(type) || 'str'
  if (kind === 'nul') return undefined
  if (kind === 'pay' || kind === 'payl') return ''
  const text = textOf(value)
  if (kind === 'val')
    return write.set('payload', /^(?:true|false|null)$/.test(text) ? text : JSON.stringify(text))
  if (kind === 'str' && isMustache(text)) {
    const written = mustacheCode(text, write)
    if (written !== undefined) return `${MUSTACHE}\nconst stack = [msg]\n${write.set('payload', written)}`
  }
  return write.set('payload', write.value(kind, value))
}

export const FLOWING: Readonly<Record<string, Mapping>> = {
  template,
  range,
  rbe: filter,
  filter,
  delay,
  trigger
}
