import { EventEmitter } from 'node:events'
import type { Context, JsonValue } from 'millrace'

type Listener = (message: JsonValue) => Promise<string>

export default async function topics(context: Context) {
  // Stands for a broker that lives somewhere else.
  const broker = new EventEmitter()

  context.component({
    type: 'topic',
    title: 'Topic',
    description: 'Starts the flow for every message of a topic.',
    category: 'Triggers',
    effects: 'pure',
    trigger: 'topic',
    fields: { topic: { kind: 'text', title: 'Topic', default: 'news' } },
    outputs: { data: { title: 'Data', type: 'data', help: 'The message.' } },
    start: ({ fields, startRun }) => {
      const listener: Listener = (message) => startRun(message)
      broker.on(fields.topic, listener)
      return () => broker.off(fields.topic, listener)
    },
    run: ({ run }) => ({ data: run.input })
  })

  context.component({
    type: 'topic-message',
    title: 'Topic message',
    description: 'Sends what reaches it to a topic.',
    fields: { topic: { kind: 'text', title: 'Topic', default: 'answers' } },
    inputs: { text: { title: 'Text', type: 'text' } },
    open: ({ fields }) => ({ topic: fields.topic, sent: 0 }),
    close: (channel) => context.log.info(channel, 'let go of the channel'),
    run: ({ inputs, opened }) => {
      opened.sent++
      broker.emit(opened.topic, inputs.text)
    }
  })

  context.post('/topics/:topic', async (request) => {
    const { topic } = request.params as { topic: string }
    const listeners = broker.listeners(topic) as Listener[]
    return { runs: await Promise.all(listeners.map((listener) => listener(request.body as JsonValue))) }
  })
}
