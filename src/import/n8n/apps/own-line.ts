import { at } from '../../values.ts'
import type { N8nNode } from '../n8n-node.ts'

interface OwnLine {
  /** The version of the node from which on it does so unless it is told not to. */
  readonly since: number
  readonly operations: ReadonlySet<string>
  readonly unless: readonly [group: string, option: string]
}

/** Nodes that write below a message that n8n sent it. */
const LINES: Readonly<Record<string, OwnLine>> = {
  telegram: {
    since: 1.1,
    operations: new Set(['message/sendMessage']),
    unless: ['additionalFields', 'appendAttribution']
  },
  slack: {
    since: 2.1,
    operations: new Set(['message/post']),
    unless: ['otherOptions', 'includeLinkToWorkflow']
  },
  emailSend: {
    since: 2.1,
    operations: new Set(['email/send']),
    unless: ['options', 'appendAttribution']
  },
  gmail: {
    since: 2.1,
    operations: new Set(['message/send', 'message/reply']),
    unless: ['options', 'appendAttribution']
  }
}

/** What is to be said of a message that n8n adds a line of its own to; empty where it adds none. */
export function ownLineNote({ type, version, params }: N8nNode, operation: string): string {
  const line = Object.hasOwn(LINES, type) ? LINES[type] : undefined
  if (line === undefined || version < line.since || !line.operations.has(operation)) return ''
  return at(params, ...line.unless) === false ? '' : 'The line "sent with n8n" is left out.'
}
