import { isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'
import type { FlowFacts } from '../../flows/step/step-children.ts'
import type { LiveFlow } from '../../library/live-flow.ts'

/** What an agent is told of a flow: it is a tool by its slug, its description, and the schema of its Webhook. */
export function factsOf({ slug, document, webhook, hasChatInput }: LiveFlow): FlowFacts {
  const { name, description = '' } = document
  const schema = webhook === null ? undefined : schemaOf(document.nodes)
  const input = schema ?? (webhook === null && hasChatInput ? TEXT : null)
  return { slug, name, description, input }
}

/** What somebody types: a Chat Input reads it from `text`. */
const TEXT: FlowFacts['input'] = {
  type: 'object',
  properties: { text: { type: 'string' } },
  required: ['text']
}

function schemaOf(nodes: LiveFlow['document']['nodes']): FlowFacts['input'] | undefined {
  const schema = nodes.find(({ type, disabled }) => type === 'webhook' && disabled !== true)?.fields.schema
  if (!isPlainObject(schema)) return undefined
  // Models are only told of objects.
  const { type } = schema
  return type === undefined || type === 'object'
    ? ({ ...schema, type: 'object' } as Record<string, JsonValue>)
    : undefined
}
