import type { ComponentType } from 'react'
import { firstLine } from '../../../editor/graph/node-summary.ts'
import { ApiAccessButton } from '../api-access/api-access-button.tsx'
import { MissingConnectionsButton } from '../connections/missing-button.tsx'
import type { NodeParts } from '../node-part.ts'
import { ApiRequestBody } from '../node-parts/api-request/api-request-body.tsx'
import { lastAnswer, pasteCurl } from '../node-parts/api-request/show-panels.tsx'
import { inspectOutput } from '../node-parts/output/show-output.tsx'
import { ParserBody } from '../node-parts/parser/parser-body.tsx'
import { placeOfWebhookField, WebhookBody } from '../node-parts/webhook/webhook-body.tsx'

/** What a node has, whatever its component is. */
export const EVERY_NODE: NodeParts = { menu: [inspectOutput] }

/** By the type of the component; over what every node has. */
export const NODE_PARTS: Readonly<Record<string, NodeParts>> = {
  webhook: {
    Body: WebhookBody,
    placeOf: placeOfWebhookField,
    summary: (_node, { slug }) => `/webhook/${slug}`
  },
  parser: {
    Body: ParserBody,
    summary: ({ fields }) =>
      fields.mode === 'Stringify' ? 'Stringify' : firstLine(fields.template) || 'No template'
  },
  'api-request': {
    Body: ApiRequestBody,
    menu: [pasteCurl, lastAnswer, inspectOutput],
    summary: ({ fields }) => `${fields.method ?? 'GET'} ${firstLine(fields.url)}`
  },
  sql: { summary: ({ fields }) => firstLine(fields.query) || 'No query' },
  'language-model': { summary: ({ fields }) => firstLine(fields.model) || 'No model' }
}

/** Buttons of the editor's toolbar, in their order; they read the flow with the hooks of editor-context.ts. */
export const TOOLBAR_PARTS: readonly ComponentType[] = [MissingConnectionsButton, ApiAccessButton]
