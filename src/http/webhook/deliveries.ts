import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { scopeOf } from '../../engine/field-scope.ts'
import { MillraceError } from '../../errors.ts'
import { startReferences } from '../../flows/graph/start-references.ts'
import type { Turns } from '../../flows/in-turns.ts'
import { isPlainObject } from '../../flows/json/exact-json.ts'
import { readPayloadInTurns } from '../../flows/json/read-payload.ts'
import { TemplateError } from '../../flows/template/template-error.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { Delivery } from '../../store/deliveries.ts'
import type { SentPayload } from './payload/sent-payload.ts'

/** Headers by which senders name a delivery, each in a way of its own; one that is sent again has the same. */
const SENDERS_HEADERS = ['webhook-id', 'svix-id', 'x-github-delivery', 'x-shopify-webhook-id'] as const

/** Standard Webhooks had another name before it had this one. */
const KINDS: Readonly<Partial<Record<string, string>>> = { 'svix-id': 'webhook-id' }

export const LONGEST_IDEMPOTENCY_KEY = 255
/** In characters, of what the payload itself is named by: what is longer names nothing. */
const LONGEST_NAME = 10_000

/** Whether the headers name the delivery. Asked of every webhook before its body is read. */
export function areNamed(headers: IncomingHttpHeaders): boolean {
  return (
    headers['idempotency-key'] !== undefined ||
    headers['webhook-id'] !== undefined ||
    headers['x-github-delivery'] !== undefined ||
    headers['x-shopify-webhook-id'] !== undefined ||
    headers['ce-id'] !== undefined ||
    headers['svix-id'] !== undefined
  )
}

/** By what the request would be known if it came again: nothing where neither sender nor flow names it. */
export function* deliveriesOf(
  flow: LiveFlow,
  headers: IncomingHttpHeaders,
  { input, identity }: Pick<SentPayload, 'input' | 'identity'>,
  now: number
): Turns<Delivery[]> {
  const deliveries = namedDeliveries(flow.id, headers, identity)
  const given = yield* nameByTemplate(flow, input, now)
  if (given !== '') deliveries.push({ key: digest(`${flow.id}\0deduplicate_by\0${given}`), body: null })
  return deliveries
}

/** Those that the headers name, of the receiver that they are sent to. */
export function namedDeliveries(
  receiver: string,
  headers: IncomingHttpHeaders,
  body: Uint8Array
): Delivery[] {
  const names = areNamed(headers) ? namesIn(headers) : []
  return names.map(([kind, name]) => ({
    key: digest(`${receiver}\0${kind}\0${name}`),
    body: kind === 'idempotency-key' ? digest(body) : null
  }))
}

/**
 * What was sent from a page that has this key. By its answers too: who goes back and writes something else means to send that as
 * well, and a double click or a page that is loaded again sends the same.
 */
export function formDelivery(flowId: string, key: string, answers: Uint8Array): Delivery {
  return { key: digest(`${flowId}\0form\0${digest(key)}\0${digest(answers)}`), body: null }
}

type Name = readonly [kind: string, name: string]

function namesIn(headers: IncomingHttpHeaders): Name[] {
  const names: Name[] = []
  const key = headers['idempotency-key']
  if (key !== undefined) names.push(['idempotency-key', checkedKey(String(key))])
  for (const header of SENDERS_HEADERS) {
    const name = headers[header]
    // A sender that leaves it empty names nothing.
    if (name !== undefined && name !== '') names.push([KINDS[header] ?? header, String(name)])
  }
  const { 'ce-id': id, 'ce-source': source } = headers
  // What CloudEvents call unique is both together. A header holds no line break.
  if (id !== undefined && source !== undefined) names.push(['ce-id', `${source}\n${id}`])
  return names
}

function checkedKey(key: string): string {
  if (key !== '' && key.length <= LONGEST_IDEMPOTENCY_KEY) return key
  const found = key === '' ? 'is empty' : `has ${key.length} characters`
  throw new MillraceError(
    'idempotency_key_invalid',
    `The header Idempotency-Key ${found}. Send 1 to ${LONGEST_IDEMPOTENCY_KEY} characters, for example a UUID, or leave the header out.`
  )
}

/** What cannot be named is taken: an event without an id must not be lost for lack of one. */
function* nameByTemplate({ webhook, slug }: LiveFlow, body: Uint8Array, now: number): Turns<string> {
  const deduplicateBy = webhook?.deduplicateBy ?? null
  if (deduplicateBy === null) return ''
  const payload = yield* readPayloadInTurns(body)
  const { template } = deduplicateBy
  const hasKeys = isPlainObject(payload) || Array.isArray(payload)
  // What is left of a template without its keys would be the same for all.
  if (!hasKeys && !template.contextVariables.includes('data')) return ''
  try {
    const variables = { ...deduplicateBy.variables, ...startReferences({ data: payload, slug, now }) }
    const { data } = scopeOf(payload, variables)
    return template.render(data, variables, LONGEST_NAME)
  } catch (error) {
    if (error instanceof TemplateError) return ''
    throw error
  }
}

/** 132 bits: names of any length take the same room, and none can be read back. */
function digest(of: string | Uint8Array): string {
  return hash('sha256', of, 'base64url').slice(0, 22)
}

export function reusedKey(runId: string): MillraceError {
  return new MillraceError(
    'idempotency_key_reused',
    `This Idempotency-Key came with another body within the last 24 hours, and started run ${runId}. Send a new key with a new body, or the same body again.`
  )
}
