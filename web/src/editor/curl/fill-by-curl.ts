import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import type { Command, NodeChanges } from '../commands/command.ts'
import type { Node } from '../graph/flow.ts'
import type { CurlFields } from './curl-fields.ts'

/** What each field is where a document says nothing of it. */
const DEFAULTS: Readonly<Record<string, JsonValue>> = {
  method: 'GET',
  query: null,
  headers: null,
  body: null,
  body_type: 'Auto'
}

/** All fields of a request at once, as one step of undo. `connection` is the one that the request signs in by. */
export function fillByCurl(node: Node, curl: CurlFields, connection?: string): Command {
  const said = Object.entries(curl.fields).filter(([name, value]) => value !== DEFAULTS[name])
  const unsaid = Object.keys(curl.fields).filter((name) => !said.some(([other]) => other === name))
  const more = connection === undefined ? [] : [['connection', connection] as const]
  const set = [...said, ...more].map(
    ([field, value]): Command => ({ kind: 'set-field', node: node.id, field, value })
  )
  const reset = unsaid
    .filter((field) => Object.hasOwn(node.fields, field))
    .map((field): Command => ({ kind: 'reset-field', node: node.id, field }))
  return {
    kind: 'all',
    label: 'Fill from curl',
    commands: [...set, ...reset, { kind: 'change-node', node: node.id, changes: nodeChanges(node, curl) }]
  }
}

function nodeChanges(node: Node, { timeoutMs, attempts }: CurlFields): NodeChanges {
  return {
    ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }),
    ...(attempts === undefined ? {} : { retry: { ...node.retry, attempts } })
  }
}
