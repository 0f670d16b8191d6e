import {
  type IncomingAnswer,
  inTurns,
  isPlainObject,
  type JsonValue,
  parseJsonInTurns,
  type Step,
  StepError
} from '../../plugin-api.ts'

/** More than any model reads; a server may send a hundred times as much. */
const LONGEST_ANSWER = 4 * 1024 * 1024
/** Schemas and results of people are flat. */
const DEEPEST = 100
const MOST_MEMBERS = 200_000

/** A message of JSON-RPC. */
export type Message = Readonly<Record<string, JsonValue>>

/**
 * The answer to the request of this id: a body of JSON, or the event that holds it in a stream. Further events are left unread, and
 * no more than a bound is read in any case.
 */
export async function readMessage(
  answer: IncomingAnswer,
  id: number,
  step: Pick<Step, 'pause'>
): Promise<Message> {
  const isStream = (answer.headers['content-type'] ?? '').startsWith('text/event-stream')
  const decoder = new TextDecoder()
  const events = new EventTexts()
  const texts: string[] = []
  let bytes = 0
  for await (const piece of answer.body) {
    bytes += piece.byteLength
    if (bytes > LONGEST_ANSWER) throw tooLarge()
    const text = decoder.decode(piece, { stream: true })
    if (!isStream) texts.push(text)
    const found = isStream ? await answerIn(events.take(text), id, step) : undefined
    if (found !== undefined) return found
  }
  if (!isStream) return answerTo(id, await readJson(texts.join(''), step))
  throw new StepError('The MCP server ended its stream before it had answered.', { code: 'mcp_broken_off' })
}

/** What each of tens of thousands of events takes counts: nothing is waited for that is there. */
async function answerIn(
  events: Iterable<string>,
  id: number,
  step: Pick<Step, 'pause'>
): Promise<Message | undefined> {
  const turn = step.pause()
  if (turn !== undefined) await turn
  for (const event of events) {
    const next = step.pause()
    if (next !== undefined) await next
    if (event === '') continue
    const read = readJson(event, step)
    const message = read instanceof Promise ? await read : read
    if (message.id === id) return answerTo(id, message)
  }
  return undefined
}

/** Whatever speaks HTTP may answer with JSON. An error may be of no request, where none could be read. */
function answerTo(id: number, message: Message): Message {
  if (message.error !== undefined || (message.id === id && message.result !== undefined)) return message
  throw noAnswer()
}

function noAnswer(): StepError {
  return new StepError(
    'What the MCP server sent is no answer of JSON-RPC to what it was asked. Check the address of the connection.',
    { code: 'mcp_answer_invalid', retryable: false }
  )
}

/** In characters: so much of the end of a piece may be the beginning of what ends an event. */
const SEAM = 3

/** Events as they come in pieces. Each piece is looked at once: a server may send a long event by single letters. */
class EventTexts {
  #pieces: string[] = []
  #seam = ''

  /** The data of those that end with this piece. */
  take(piece: string): Iterable<string> {
    this.#pieces.push(piece)
    const seen = this.#seam + piece
    this.#seam = seen.slice(-SEAM)
    if (!seen.includes('\n\n') && !seen.includes('\r\n\r\n')) return []
    const text = this.#pieces.join('')
    const end = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\r\n\r\n'))
    const rest = text.slice(end + 2)
    this.#pieces = [rest]
    this.#seam = rest.slice(-SEAM)
    return eventsIn(text.slice(0, end))
  }
}

/** The data of each event, one after the other: a piece may hold tens of thousands. Of one without data it is empty. */
function* eventsIn(text: string): Iterable<string> {
  let data: string[] = []
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? undefined : end).replace(/\r$/, '')
    from = end < 0 ? text.length : end + 1
    if (line.startsWith('data:')) data.push(line.slice('data:'.length).trimStart())
    if (line !== '') continue
    yield data.join('\n')
    data = []
  }
  yield data.join('\n')
}

/** At once where it is short: to wait for each of tens of thousands of events is garbage that holds the thread when it is collected. */
function readJson(text: string, step: Pick<Step, 'pause'>): Message | Promise<Message> {
  try {
    const value = inTurns(parseJsonInTurns(text, DEEPEST, MOST_MEMBERS), step)
    return value instanceof Promise ? value.catch(unreadable).then(messageOf) : messageOf(value)
  } catch (error) {
    return unreadable(error)
  }
}

function messageOf(value: JsonValue): Message {
  if (isPlainObject(value)) return value as Message
  throw noAnswer()
}

function unreadable(error: unknown): never {
  if (error instanceof StepError) throw error
  throw new StepError(
    `The MCP server did not answer with JSON that can be read: ${String(error).slice(0, 200)}`,
    { code: 'mcp_answer_invalid', retryable: false }
  )
}

function tooLarge(): StepError {
  return new StepError(
    'The MCP server answered with more than 4 MB, and was not read any further. Ask it for less at once.',
    { code: 'mcp_answer_too_large', retryable: false }
  )
}
