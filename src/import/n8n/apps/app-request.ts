import type { Become, Part } from '../../become.ts'
import { OWN_ID } from '../../references.ts'
import { isMembers, textOf } from '../../values.ts'
import { several } from '../mapping.ts'
import type { N8nNode } from '../n8n-node.ts'
import type { Writer } from '../writer.ts'
import type { App, AppCall } from './app.ts'
import { APPS, PRESET_OF } from './apps.ts'
import { ownLineNote } from './own-line.ts'
import { Settings } from './settings.ts'

/** What is asked for the operation that was chosen; undefined where it is not known. */
export function appCall(
  node: N8nNode
): { readonly app: App; readonly call: AppCall; readonly operation: string } | undefined {
  const app = own(APPS, node.type)
  if (app === undefined) return undefined
  const names = Object.keys(app.calls)
  const resource = textOf(node.params.resource) || names[0]!.split('/')[0]!
  const first = names.find((name) => name.startsWith(`${resource}/`))
  const operation = textOf(node.params.operation) || first?.slice(resource.length + 1)
  const call = own(app.calls, `${resource}/${operation}`)
  return call && { app, call, operation: `${resource}/${operation}` }
}

/** An app node as the request that it sends, by the connection that the preset describes. */
export function appRequest(node: N8nNode, write: Writer): Become | undefined {
  const found = appCall(node)
  if (found === undefined) return undefined
  const { app, call, operation } = found
  const settings = new Settings(node, write)
  if (call.isKnown?.(settings) === false) return undefined
  const connection = connectionTo(app, settings)
  const item = asItem(call, settings)
  write.tell(call.note ?? '')
  write.tell(ownLineNote(node, operation))
  if (call.before !== undefined) return withBefore(settings, { call, connection, item })
  const part: Part = { type: 'api-request', fields: requestOf(call, connection, settings) }
  const parts = { main: part, ...(item && { item }) }
  return several(
    parts,
    write,
    { takes: 'data', gives: item === undefined ? 'body' : 'result' },
    item === undefined ? [] : [['main.body', 'item.data']]
  )
}

interface Wanted {
  readonly call: AppCall
  readonly connection: string | undefined
  readonly item: Part | undefined
}

function connectionTo({ preset }: App, { node, write }: Settings): string | undefined {
  if (preset === undefined) return undefined
  return preset === ''
    ? write.connection('http', undefined, node.type)
    : write.connection('http', preset, preset)
}

/** What is there is read first: the body is made of that. */
function withBefore(settings: Settings, { call, connection, item }: Wanted): Become {
  const { write } = settings
  const { before } = call
  const read: Part = {
    type: 'api-request',
    title: `What is there for ${settings.node.name}`,
    fields: lineOf({ ...call, send: before!.send }, connection, settings)
  }
  const body: Part = {
    type: 'code',
    title: `What ${settings.node.name} sends`,
    fields: {
      code: write.code(`const $there = nodes["${OWN_ID}-read"]?.body ?? {}\n${before!.body(settings)}`)
    }
  }
  const given: Part = { type: 'transform', title: 'What came in', fields: {}, disabled: true }
  const main: Part = {
    type: 'api-request',
    fields: {
      ...requestOf(call, connection, settings),
      body: `{$nodes.${OWN_ID}-body.result}`,
      body_type: 'JSON'
    }
  }
  return several(
    { main, given, read, body, ...(item && { item }) },
    write,
    { takes: 'given.data', gives: item === undefined ? 'main.body' : 'item.result' },
    // Of two wires to one input the first counts: each works on the item, and waits for what it reads besides.
    [
      ['given.data', 'read.data'],
      ['given.data', 'body.data'],
      ['read.body', 'body.data'],
      ['given.data', 'main.data'],
      ['body.result', 'main.data'],
      ...(item === undefined ? [] : [['main.body', 'item.data'] as const])
    ]
  )
}

function requestOf(
  call: AppCall,
  connection: string | undefined,
  settings: Settings
): Record<string, unknown> {
  const query = typeof call.query === 'function' ? call.query(settings) : settings.given(call.query ?? {})
  const headers = settings.given(call.headers ?? {})
  const body = typeof call.body === 'function' ? call.body(settings) : settings.given(call.body ?? {})
  const line = lineOf(call, connection, settings)
  const sends = line.method !== 'GET' && call.before === undefined
  return {
    ...line,
    ...(isMembers(query) && Object.keys(query).length > 0 && { query }),
    ...(isMembers(headers) && Object.keys(headers).length > 0 && { headers }),
    ...(sends && (call.body === undefined ? { body_type: 'None' } : { body })),
    ...(call.bodyType !== undefined && { body_type: call.bodyType }),
    ...(call.answers !== undefined && { response_type: call.answers })
  }
}

function lineOf(
  { send, place }: AppCall,
  connection: string | undefined,
  settings: Settings
): Record<string, unknown> {
  const [line = '', behind] = send.split('@place')
  const space = line.indexOf(' ')
  const url = settings.address(line.slice(space + 1))
  const rest = behind === undefined ? '' : `${place?.(settings) ?? ''}${settings.address(behind)}`
  return {
    ...(connection !== undefined && { connection }),
    method: line.slice(0, space),
    url: `${url}${rest}`
  }
}

function asItem({ item }: AppCall, settings: Settings): Part | undefined {
  if (item === undefined) return undefined
  const shown = typeof item === 'string' ? item : item(settings)
  return {
    type: 'code',
    title: 'As n8n gives it',
    fields: { code: settings.write.code(`return ${shown}`) }
  }
}

/** What comes nearest to a node that is not known. */
export function nearestApp(node: N8nNode): { advice: string; preset?: string } {
  const type = node.type.replace(/(?:Trigger|Tool)$/, '')
  const preset = own(APPS, type)?.preset || own(PRESET_OF, type)
  const operation = [textOf(node.params.resource), textOf(node.params.operation)].filter(Boolean).join(', ')
  const isTrigger = /Trigger$/.test(node.type)
  if (preset !== undefined)
    return {
      preset,
      advice: isTrigger
        ? `Watch a list of the service, with a connection made by the preset "${preset}", or let the service call a Webhook.`
        : `Make a connection by the preset "${preset}", and do${operation === '' ? ' its work' : ` "${operation}"`} with an API Request.`
    }
  const local = own(WITHOUT_SERVICE, type)
  return { advice: local ?? 'Do its work with an API Request or with Code.' }
}

const WITHOUT_SERVICE: Readonly<Record<string, string>> = {
  readWriteFile:
    'No step reads or writes files beside the service: send them with the run, or to a store by API Request.',
  readBinaryFile: 'No step reads files beside the service: send them with the run, by a Form or a Webhook.',
  readBinaryFiles: 'No step reads files beside the service: send them with the run, by a Form or a Webhook.',
  writeBinaryFile: 'No step writes files beside the service: send them to a store by API Request.',
  executeCommand: 'No step runs commands: let a service of yours do that, and call it by API Request.',
  ssh: 'No step opens a shell: let a service of yours do that, and call it by API Request.',
  editImage: 'No step edits pictures: send them to a service that does, by API Request.',
  emailReadImap: 'No trigger reads a mailbox: let the mail provider call a Webhook, or Watch its API.'
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
