/** One event of a stream that answers a request. */
interface StreamedEvent {
  readonly event: string
  readonly data: unknown
}

/** Reads server-sent events whose data is one line of JSON; comments are passed over. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const event = eventIn(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    // Whoever reads no further lets go of the connection.
    await reader.cancel().catch(() => {})
  }
}

function eventIn(block: string): StreamedEvent | undefined {
  const lines = block.split('\n')
  const of = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const [event, data] = [of('event'), of('data')]
  return event === undefined || data === undefined ? undefined : { event, data: JSON.parse(data) }
}
