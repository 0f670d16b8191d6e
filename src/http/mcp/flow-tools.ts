import type { Catalogue } from '../../flows/component/catalogue.ts'
import { isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { webhookNode } from '../../library/webhook-entry.ts'

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations?: { readonly readOnlyHint: true }
}

export function isTool(flow: LiveFlow): boolean {
  return flow.webhook !== null || flow.hasChatInput
}

/** A flow as a model sees it. */
export function toolOf(flow: LiveFlow, catalogue: Catalogue): McpTool {
  const { slug: name, document } = flow
  const { name: title, description } = document
  return {
    name,
    title,
    description: description || title,
    inputSchema: flow.webhook === null ? CHAT_SCHEMA : payloadSchemaOf(flow, catalogue)
  }
}

/** A flow without a Webhook is talked to. */
const CHAT_SCHEMA = {
  type: 'object',
  properties: {
    text: { type: 'string', description: 'What is said to the flow' },
    session: { type: 'string', description: 'A name for the conversation, to go on with it' }
  },
  required: ['text']
}

/** Arguments are an object, whatever the schema says of others. */
function payloadSchemaOf({ document }: LiveFlow, catalogue: Catalogue): object {
  const fields = webhookNode(document, catalogue)?.fields as Readonly<Record<string, JsonValue>> | undefined
  const schema = fields?.schema
  if (!isPlainObject(schema)) return { type: 'object' }
  return { ...schema, type: 'object' }
}
