/** Flow documents that several stories use. Each gets a slug of its own from its name. */

type Node = Readonly<Record<string, unknown>>

export const ORDER = { order_id: 7, customer: 'Ann' }

/** Webhook → Parser → Chat Output, as in the contract. */
export function ordersFlow(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    name: 'Orders again',
    context: '/',
    nodes: [
      { id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} },
      {
        id: 'parser-1',
        type: 'parser',
        position: { x: 320, y: 0 },
        fields: { mode: 'Parser', template: 'Order {order_id} from {customer}' }
      },
      { id: 'chat-output-1', type: 'chat-output', position: { x: 640, y: 0 }, fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ],
    ...changes
  }
}

/** A flow that takes whatever is sent: Webhook → Parser in mode Stringify. */
export function anythingFlow(webhook: Node = {}) {
  return {
    name: 'Anything',
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: webhook },
      { id: 'parser-1', type: 'parser', fields: { mode: 'Stringify' } }
    ],
    edges: [{ from: 'webhook-1.data', to: 'parser-1.data' }]
  }
}

/** Webhook → Call (see test/plugins/call.ts) → Parser. */
export function callFlow(url: string, { webhook = {}, call = {} }: { webhook?: Node; call?: Node } = {}) {
  return {
    name: 'Call',
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: webhook },
      { id: 'call-1', type: 'call', fields: { url }, ...call },
      { id: 'parser-1', type: 'parser', fields: { mode: 'Stringify' } }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'call-1.data' },
      { from: 'call-1.data', to: 'parser-1.data' }
    ]
  }
}

/** Webhook → Speak (see test/plugins/speak.ts) → Chat Output. */
export function speakFlow(url: string, { speak = {} }: { speak?: Node } = {}) {
  return {
    name: 'Speak',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'speak-1', type: 'speak', fields: { url }, ...speak },
      { id: 'chat-output-1', type: 'chat-output' }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'speak-1.data' },
      { from: 'speak-1.text', to: 'chat-output-1.text' }
    ]
  }
}

/** Webhook → Deadly (see test/plugins/deadly.ts) → Parser. */
export function deadlyFlow() {
  return {
    name: 'Deadly',
    nodes: [
      { id: 'webhook-1', type: 'webhook' },
      { id: 'deadly-1', type: 'deadly' },
      { id: 'parser-1', type: 'parser', fields: { mode: 'Stringify' } }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'deadly-1.data' },
      { from: 'deadly-1.data', to: 'parser-1.data' }
    ]
  }
}

export function chatFlow() {
  return {
    name: 'Chat',
    nodes: [
      { id: 'chat-input-1', type: 'chat-input', fields: {} },
      { id: 'prompt-1', type: 'prompt', fields: { template: 'You said: {text}' } },
      { id: 'chat-output-1', type: 'chat-output', fields: {} }
    ],
    edges: [
      { from: 'chat-input-1.message', to: 'prompt-1.text' },
      { from: 'prompt-1.prompt', to: 'chat-output-1.text' }
    ]
  }
}

/** Prints what it gets: Webhook → Parser in mode Stringify → Chat Output. */
export function printFlow() {
  return {
    name: 'Printer',
    nodes: [
      { id: 'webhook-1', type: 'webhook', fields: {} },
      { id: 'parser-1', type: 'parser', fields: { mode: 'Stringify' } },
      { id: 'chat-output-1', type: 'chat-output', fields: {} }
    ],
    edges: [
      { from: 'webhook-1.data', to: 'parser-1.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' }
    ]
  }
}

/** Orders above a hundred go one way, all others the other; both end in the Playground. */
export function branchFlow() {
  const node = (id: string, type: string, x: number, y: number, fields: object = {}) => ({
    id,
    type,
    position: { x, y },
    fields
  })
  return {
    name: 'Branches',
    nodes: [
      node('webhook-1', 'webhook', 0, 0),
      node('if-else-1', 'if-else', 320, 0, { left: '{total}', operator: 'is greater than', right: '100' }),
      node('parser-1', 'parser', 640, -80, { template: 'Large: {total}' }),
      node('parser-2', 'parser', 640, 80, { template: 'Small: {total}' }),
      node('chat-output-1', 'chat-output', 960, 0)
    ],
    edges: [
      { from: 'webhook-1.data', to: 'if-else-1.data' },
      { from: 'if-else-1.true', to: 'parser-1.data' },
      { from: 'if-else-1.false', to: 'parser-2.data' },
      { from: 'parser-1.parsed_text', to: 'chat-output-1.text' },
      { from: 'parser-2.parsed_text', to: 'chat-output-1.text' }
    ]
  }
}
