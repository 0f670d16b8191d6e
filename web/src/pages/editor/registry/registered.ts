import type { ComponentType } from 'react'
import { ApiAccessButton } from '../api-access/api-access-button.tsx'
import { MissingConnectionsButton } from '../connection-choice/missing-button.tsx'
import type { NodeParts } from '../node-part.ts'
import { ApiRequestBody } from '../node-parts/api-request/api-request-body.tsx'
import { lastAnswer, pasteCurl } from '../node-parts/api-request/show-panels.tsx'
import { placeOfDataField } from '../node-parts/data/data-places.ts'
import { inspectOutput } from '../node-parts/output/show-output.tsx'
import { ParserBody } from '../node-parts/parser/parser-body.tsx'
import { PlaceholderBody } from '../node-parts/placeholder/placeholder-body.tsx'
import { SendEmailBody } from '../node-parts/send-email/send-email-body.tsx'
import { WatchBody } from '../node-parts/watch/watch-body.tsx'
import { WebhookBody } from '../node-parts/webhook/webhook-body.tsx'
import { placeOfWebhookField } from '../node-parts/webhook/webhook-places.ts'
import { FailingTriggersButton } from '../triggers/failing-triggers-button.tsx'

/** What a node has, whatever its component is. */
export const EVERY_NODE: NodeParts = { menu: [inspectOutput] }

/** By the type of the component; over what every node has. */
export const NODE_PARTS: Readonly<Record<string, NodeParts>> = {
  webhook: { Body: WebhookBody, placeOf: placeOfWebhookField },
  parser: { Body: ParserBody, placeOf: placeOfDataField },
  placeholder: { Body: PlaceholderBody },
  'send-email': { Body: SendEmailBody },
  watch: { Body: WatchBody },
  convert: { placeOf: placeOfDataField },
  date: { placeOf: placeOfDataField },
  'if-else': { placeOf: placeOfDataField },
  keep: { placeOf: placeOfDataField },
  'random-id': { placeOf: placeOfDataField },
  'split-out': { placeOf: placeOfDataField },
  'split-text': { placeOf: placeOfDataField },
  'api-operation': { menu: [lastAnswer, inspectOutput] },
  'api-request': { Body: ApiRequestBody, menu: [pasteCurl, lastAnswer, inspectOutput] }
}

/** Buttons of the editor's toolbar, in their order; they read the flow with the hooks of editor-context.ts. */
export const TOOLBAR_PARTS: readonly ComponentType[] = [ApiAccessButton]

/** Those that are there at times: they stand before all tools, so that none of these moves away under a hand. */
export const TOOLBAR_PARTS_AT_TIMES: readonly ComponentType[] = [
  FailingTriggersButton,
  MissingConnectionsButton
]
