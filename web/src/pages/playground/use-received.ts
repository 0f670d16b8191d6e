import { useState } from 'react'
import { useLiveEvents } from '../../api/live.ts'
import { messagesIn } from '../../api/messages.ts'
import { type ReceivedBySession, withReceived } from './message-log.ts'
import { type Turns, withTurnEvents } from './turns.ts'

export interface ReceivedOfFlow {
  readonly messages: ReceivedBySession
  readonly turns: Turns
}

const NOTHING: ReceivedOfFlow = { messages: new Map(), turns: new Map() }

/** What happened to a flow since it is shown. Give the part that uses it the flow as its key. */
export function useReceived(flow: string): ReceivedOfFlow {
  const [received, setReceived] = useState(NOTHING)
  useLiveEvents((events) => {
    setReceived((before) => {
      const messages = withReceived(before.messages, messagesIn(events, flow))
      const turns = withTurnEvents(before.turns, events, flow)
      const isSame = messages === before.messages && turns === before.turns
      return isSame ? before : { messages, turns }
    })
  })
  return received
}
