/** Flows whose callers wait for what they answer. */

type Fields = Readonly<Record<string, unknown>>

const WAITS = { auth: 'None', respond: 'When the flow answers' }

/** Webhook → Respond. */
export function answerFlow(respond: Fields = {}, webhook: Fields = {}) {
  return {
    name: 'Answer',
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: { ...WAITS, ...webhook } },
      { id: 'respond-1', type: 'respond', fields: respond }
    ],
    edges: [{ from: 'webhook-1.data', to: 'respond-1.data' }]
  }
}

/** Webhook → Call (see test/plugins/call.ts) → Respond, with the answer of the call. */
export function answerAfterCallFlow(url: string, respond: Fields = {}, webhook: Fields = {}) {
  return {
    name: 'Answer after a call',
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: { ...WAITS, ...webhook } },
      { id: 'call-1', type: 'call', fields: { url }, retry: { attempts: 1 } },
      { id: 'respond-1', type: 'respond', fields: respond }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'call-1.data' },
      { from: 'call-1.data', to: 'respond-1.data' }
    ]
  }
}

/** Webhook → one node more, which is no Respond. */
export function unansweredFlow(type: string, fields: Fields = {}, webhook: Fields = {}) {
  return {
    name: 'No answer',
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: { ...WAITS, ...webhook } },
      { id: 'last', type, fields }
    ],
    edges: [{ from: 'webhook-1.data', to: 'last.data' }]
  }
}

/** Webhook → Speak (see test/plugins/speak.ts) → Respond, with what is spoken. */
export function streamedFlow(url: string, respond: Fields = {}, { webhook = {}, speak = {} } = {}) {
  return {
    name: 'Told',
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: { ...WAITS, ...webhook } },
      { id: 'speak-1', type: 'speak', fields: { url }, retry: { attempts: 1 }, ...speak },
      { id: 'respond-1', type: 'respond', fields: respond }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'speak-1.data' },
      { from: 'speak-1.text', to: 'respond-1.data' }
    ]
  }
}
