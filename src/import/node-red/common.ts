import { PASSES_ON, type Part } from '../become.ts'
import { membersIn, numberOf, textOf } from '../values.ts'
import type { Mapping } from './mapping.ts'
import type { RedNode } from './red-node.ts'
import type { Writer } from './writer.ts'

/** How often an Inject starts by itself, as cron; undefined where only people press it. */
export function cronOf({ raw }: RedNode): { cron: string; note: string } | undefined {
  const crontab = textOf(raw.crontab).trim()
  if (crontab !== '') return { cron: plainCron(crontab), note: '' }
  const every = numberOf(raw.repeat)
  if (every === undefined || every <= 0) return undefined
  const units: readonly [seconds: number, most: number, cron: (n: number) => string][] = [
    [1, 60, (n) => `*/${n} * * * * *`],
    [60, 60, (n) => `*/${n} * * * *`],
    [3600, 24, (n) => `0 */${n} * * *`]
  ]
  for (const [seconds, most, cron] of units) {
    const n = every / seconds
    if (Number.isInteger(n) && n < most && most % n === 0)
      return { cron: cron(n), note: 'It counts from the full hour, and not from the start.' }
  }
  if (every === 86_400) return { cron: '0 0 * * *', note: 'It starts at midnight.' }
  const minutes = Math.max(1, Math.min(59, Math.round(every / 60)))
  const cron = every > 3600 ? `0 */${Math.min(23, Math.round(every / 3600))} * * *` : `*/${minutes} * * * *`
  return { cron, note: `It started every ${every} seconds, which no cron says exactly: look at "cron".` }
}

function plainCron(crontab: string): string {
  return crontab.split(/\s+/).join(' ')
}

/** What an Inject sends. */
function messageOf({ raw }: RedNode, write: Writer): string {
  const props = Array.isArray(raw.props)
    ? membersIn(raw.props)
    : [
        { p: 'payload', v: raw.payload, vt: raw.payloadType },
        { p: 'topic', v: raw.topic, vt: 'str' }
      ]
  const lines = props.map(({ p, v, vt }) => {
    const property = textOf(p)
    const given = v === undefined && property === 'payload' ? raw.payload : v
    const type = vt === undefined && property === 'payload' ? raw.payloadType : vt
    const value = given === undefined && property === 'topic' ? raw.topic : given
    return write.set(property, write.value(type ?? 'str', value))
  })
  return `const msg = { _msgid: run.id }\n${lines.filter((line) => line !== '').join('\n')}\nreturn msg`
}

/** Started by the clock, or by people: what starts it stands before it. */
const inject: Mapping = (node, write, { way }) => {
  const code = messageOf(node, write)
  const part: Part = { type: 'code', fields: { code: write.code(code) } }
  if (node.raw.once === true) write.tell('It also started when Node-RED did; nothing here starts by that.')
  if (way?.kind !== 'schedule') {
    write.tell(
      `It is started by a POST to the Webhook, or by Test${way === undefined ? '.' : `, with ${way.asked}.`}`
    )
    return write.become({ main: part }, 'main.result')
  }
  write.tell(way.note)
  const message: Part = { ...part, title: 'As Node-RED gives it' }
  return write.become(
    { main: { type: 'schedule', fields: { cron: way.cron, timezone: 'UTC' } }, message },
    'message.result',
    [['main.data', 'message.data']],
    { takes: 'message.data' }
  )
}

/** What it showed in the side bar is the output of its step. */
const debug: Mapping = (node, write) => {
  const { raw } = node
  const complete = textOf(raw.complete)
  write.tell('What it showed is the output of its step, in each run.')
  if (raw.targetType === 'jsonata') {
    const part: Part = { type: 'transform', fields: { expression: write.expression(complete) } }
    return write.become({ main: part }, 'main.data')
  }
  const isWhole = complete === 'true' || raw.targetType === 'full'
  const property = complete === '' || complete === 'false' ? 'payload' : complete
  const part: Part = {
    type: 'code',
    fields: {
      code: write.code(`const msg = data\nreturn ${isWhole ? 'msg' : `${write.get(property)} ?? null`}`)
    },
    ...(raw.active === false && { disabled: true })
  }
  return write.become({ main: part }, 'main.result')
}

/** Failures of the nodes that it watches come by their error outputs: the message is the one that they got. */
const caught: Mapping = (_node, write, { sources }) => {
  const known = sources.map(
    ({ id, title, type, message }) =>
      `${JSON.stringify(id)}: [${JSON.stringify({ id, name: title, type })}, () => ${message}]`
  )
  const code = `const [source, message] = { ${known.join(', ')} }[data.node] ?? [{ id: data.node }, () => undefined]
const before = message()
return { ...(before !== null && typeof before === 'object' ? before : {}), error: { message: data.message, source: { ...source, count: 1 } } }`
  write.tell('It gets the message that the failed node got, as it was before the failure.')
  if (sources.length === 0) write.tell('No node that it watches can fail here: nothing leads to it.')
  return write.become({ main: { type: 'code', fields: { code } } }, 'main.result')
}

const passes: Mapping = (_node, write) => write.become({ main: PASSES_ON }, 'main.data')

/** Messages of several nodes pass it when they are done. */
const complete: Mapping = (_node, write) => {
  write.tell('It passes on what the nodes that it watches give.')
  return write.become({ main: PASSES_ON }, 'main.data')
}

export const COMMON: Readonly<Record<string, Mapping>> = {
  inject,
  debug,
  catch: caught,
  complete,
  junction: passes,
  'link in': passes
}
