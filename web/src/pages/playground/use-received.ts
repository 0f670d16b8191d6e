import { useState } from 'react'
import { useLiveEvents } from '../../api/live.ts'
import { messagesIn } from '../../api/messages.ts'
import { type ReceivedBySession, withReceived } from './message-log.ts'
import { type LiveCalls, withToolEvents } from './tool-news.ts'
import { type Turns, withTurnEvents } from './turns.ts'

export interface ReceivedOfFlow {
  readonly messages: ReceivedBySession
  readonly turns: Turns
  /** What agents called, by run. */
  readonly calls: LiveCalls
}

const NOTHING: ReceivedOfFlow = { messages: new Map(), turns: new Map(), calls: new Map() }

/** What happened to a flow since it is shown. Give the part that uses it the flow as its key. */
export function useReceived(flow: string): ReceivedOfFlow {
  const [received, setReceived] = useState(NOTHING)
  useLiveEvents((events) => {
    setReceived((before) => {
      const messages = withReceived(before.messages, messagesIn(events, flow))
      const turns = withTurnEvents(before.turns, events, flow)
      const calls = withToolEvents(before.calls, events, flow)
      const isSame = messages === before.messages && turns === before.turns && calls === before.calls
      return isSame ? before : { messages, turns, calls }
    })
  })
  return received
}
