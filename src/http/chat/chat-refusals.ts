import { MillraceError } from '../../errors.ts'
import { withoutContext } from '../../library/flow-refusals.ts'
import type { LiveFlow } from '../../library/live-flow.ts'

/** The flow, if a chat turn can start it. */
export function chatting(flow: LiveFlow): LiveFlow {
  if (flow.hasChatInput) return flow
  throw flow.isWithoutContext ? withoutContext(flow) : withoutChatInput(flow.slug)
}

export function withoutChatInput(slug: string): MillraceError {
  return new MillraceError(
    'flow_without_chat_input',
    `Flow "${slug}" has no Chat Input component, so a chat turn cannot start it. Add one and save the flow.`
  )
}
