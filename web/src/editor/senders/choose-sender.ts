import { defaultOf, type Field } from '../../../../src/flows/component/component.ts'
import type { Command } from '../commands/command.ts'
import type { Node } from '../graph/flow.ts'
import { SENDERS, type Sender } from './senders.ts'

/** What a sender decides. The secret, the limits and all else of the Webhook stay as they are. */
const DECIDED = [
  'auth',
  'token_header',
  'basic_user',
  'signature_scheme',
  'signature_header',
  'signature_algorithm',
  'signature_encoding',
  'signature_prefix',
  'signed_text',
  'timestamp_header',
  'handshake',
  'deduplicate_by'
]

/** By these a sender is known again; people change the others as they like. */
const TELLING = DECIDED.filter((name) => name !== 'deduplicate_by' && name !== 'basic_user')

type Defaults = Readonly<Record<string, Field>>

/** One step: the fields of the sender, and the defaults of those that it does not say. */
export function chooseSender({ id, fields }: Node, sender: Sender): Command {
  const commands = DECIDED.flatMap((field): Command[] => {
    const value = sender.fields[field]
    if (value !== undefined) return [{ kind: 'set-field', node: id, field, value }]
    return Object.hasOwn(fields, field) ? [{ kind: 'reset-field', node: id, field }] : []
  })
  return { kind: 'all', label: `Receive from ${sender.name}`, commands }
}

/** Whether the Webhook lets this sender in. `auth`: what it asks for, which its context may say. */
export function isSetFor(
  sender: Sender,
  node: Pick<Node, 'fields'>,
  auth: string,
  defaults: Defaults
): boolean {
  const byDefault = (name: string) => (defaults[name] === undefined ? '' : defaultOf(defaults[name]))
  const said = (name: string) => (name === 'auth' ? auth : (node.fields[name] ?? byDefault(name)))
  return TELLING.every((name) => isSame(said(name), sender.fields[name] ?? byDefault(name)))
}

/** The sender that the Webhook is set for; undefined where it is none of them, and where nothing tells it from any other. */
export function senderOf(node: Pick<Node, 'fields'>, auth: string, defaults: Defaults): Sender | undefined {
  return SENDERS.find((sender) => isTelling(sender) && isSetFor(sender, node, auth, defaults))
}

/** Anybody is let in where nothing is asked, so that says nothing of who sends. */
function isTelling({ fields }: Sender): boolean {
  return fields.auth !== 'None' || fields.handshake !== undefined
}

/** Names of headers are the same in any letters. */
function isSame(one: unknown, other: unknown): boolean {
  return String(one).trim().toLowerCase() === String(other).trim().toLowerCase()
}
