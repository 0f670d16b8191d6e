interface SentEvent {
  /** The place in the stream after it; null where it has none. */
  readonly id: string | null
  readonly event: string
  readonly data: string
}

/** No event is as long, so one that is comes from something else. */
const LONGEST_BLOCK = 16 * 1024 * 1024

/** What a stream of server-sent events says, piece by piece; a block that only tells a place is an event without a name. */
export async function* readEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<SentEvent> {
  const decoder = new TextDecoder()
  let held: string[] = []
  let length = 0
  for await (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true })
    if (text === '') continue
    // Looked for in what has come only, and in the join: a long event comes in many pieces.
    const joins = text.startsWith('\n') && held.at(-1)?.endsWith('\n') === true
    held.push(text)
    length += text.length
    if (length > LONGEST_BLOCK) throw new RangeError('An event is too long.')
    if (!joins && !text.includes('\n\n')) continue
    const blocks = held.join('').split('\n\n')
    const rest = blocks.pop()!
    held = [rest]
    length = rest.length
    for (const block of blocks) {
      const event = readBlock(block)
      if (event !== undefined) yield event
    }
  }
}

/** Undefined where it is only a comment, such as a heartbeat. */
function readBlock(block: string): SentEvent | undefined {
  const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
  const all = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => fieldOf(line, name))
  const [id = null] = all('id')
  const [event = ''] = all('event')
  const data = all('data').join('\n')
  return id === null && data === '' ? undefined : { id, event, data }
}

function fieldOf(line: string, name: string): string {
  return line.slice(name.length + 1).replace(/^ /, '')
}
