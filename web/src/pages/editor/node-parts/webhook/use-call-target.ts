import { useMemo } from 'react'
import { useApi } from '../../../../api/api-context.ts'
import type { CallTarget } from '../../../../editor/snippets/call-snippets.ts'
import { sampleBody } from '../../../../editor/snippets/sample-body.ts'
import { type FlowState, useEditorState, useFlowAs, useLiveFlow } from '../../editor-context.ts'
import { useWebhookEntry } from './use-webhook-entry.ts'
import type { WebhookEntry } from './webhook-entry.ts'

/** How the flow is called from outside: by its slug, which people can read, and which is the live one's until another is published. */
export function useCallTarget(webhook: string): CallTarget {
  const { base } = useApi()
  const flow = useLiveFlow(({ slug }) => slug)
  const entry = useWebhookEntry(webhook)
  return { address: base, flow, method: calledBy(entry), ...askedOf(entry) }
}

function calledBy(entry: WebhookEntry | undefined): string {
  const methods = entry?.methods ?? []
  return methods.includes('POST') ? 'POST' : (methods[0] ?? 'POST')
}

/** What a caller has to send besides the body. */
export function askedOf(entry: WebhookEntry | undefined) {
  const { auth = 'API key', scheme = '', hmac = null, tokenHeader = '', basicUser = '' } = entry ?? {}
  return { auth, scheme, hmac, tokenHeader, basicUser } as const
}

/** A body that the flow makes something of: what its templates ask for. */
export function useSampleBody(webhook: string, state: FlowState = 'drawn'): string {
  const flow = useFlowAs(state, (found) => found)
  const catalogue = useEditorState((state) => state.catalogue)
  return useMemo(() => sampleBody(flow, catalogue, webhook), [flow, catalogue, webhook])
}
