import assert from 'node:assert/strict'
import { cleanUp, type Lifetime } from './clean-up.ts'
import { sendRequest } from './http-request.ts'

export interface SentEvent {
  readonly id: string
  readonly event: string
  readonly data: Record<string, unknown>
}

/** One connection to a stream of server-sent events. */
export interface EventReader {
  /** The next event; rejects when the stream ends first. */
  next(): Promise<SentEvent>
  /** Reads on until an event is the one that is looked for, and returns all that were read, that one last. */
  until(isIt: (event: SentEvent) => boolean): Promise<SentEvent[]>
  /** All that is still sent until the other side ends the stream. */
  rest(): Promise<SentEvent[]>
  close(): void
}

/** Resolves when the stream is connected: what happens after that is in it. */
export async function openEvents(
  test: Lifetime,
  url: string,
  headers: Record<string, string>
): Promise<EventReader> {
  const abort = new AbortController()
  cleanUp(test, () => abort.abort())
  const response = await sendRequest({ method: 'GET', url, headers, signal: abort.signal })
  assert.equal(response.statusCode, 200, `${url} was answered ${response.statusCode}`)
  assert.match(response.headers['content-type'] ?? '', /^text\/event-stream\b/)
  // A reader that goes away in the middle is no error of the test.
  response.on('error', () => {})
  const blocks = readBlocks(response)
  await blocks.next()
  const next = async (): Promise<SentEvent | undefined> => {
    for (;;) {
      const block = await blocks.next()
      if (block.done === true) return undefined
      const event = parseBlock(block.value)
      if (event !== undefined) return event
    }
  }
  return {
    next: async () => (await next()) ?? assert.fail('the stream of events ended'),
    until: async (isIt) => {
      const read: SentEvent[] = []
      for (;;) {
        const event = await next()
        assert.ok(event !== undefined, `the stream ended after ${read.map((sent) => sent.event).join(', ')}`)
        read.push(event)
        if (isIt(event)) return read
      }
    },
    rest: async () => {
      const read: SentEvent[] = []
      for (let event = await next(); event !== undefined; event = await next()) read.push(event)
      return read
    },
    close: () => abort.abort()
  }
}

async function* readBlocks(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield text.slice(0, end)
      text = text.slice(end + 2)
    }
  }
}

/** Undefined for a block of comments, such as a heartbeat. */
function parseBlock(block: string): SentEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2))
  }
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) }
}
