import { useState } from 'react'
import { useLiveEvents } from '../../api/live.ts'
import { messagesIn } from '../../api/messages.ts'
import { type HeardBySession, withHeard } from './message-log.ts'
import { type Turns, withTurnEvents } from './turns.ts'

export interface HeardOfFlow {
  readonly messages: HeardBySession
  readonly turns: Turns
}

const NOTHING: HeardOfFlow = { messages: new Map(), turns: new Map() }

/** What happened to a flow since it is shown. Give the part that uses it the flow as its key. */
export function useHeard(flow: string): HeardOfFlow {
  const [heard, setHeard] = useState(NOTHING)
  useLiveEvents((events) => {
    setHeard((before) => {
      const messages = withHeard(before.messages, messagesIn(events, flow))
      const turns = withTurnEvents(before.turns, events, flow)
      const isSame = messages === before.messages && turns === before.turns
      return isSame ? before : { messages, turns }
    })
  })
  return heard
}
