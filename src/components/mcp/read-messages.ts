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
    else
      for (const event of events.take(text)) {
        const turn = step.pause()
        if (turn !== undefined) await turn
        const message = await readJson(event, step)
        if (message.id === id) return answerTo(id, message)
      }
  }
  if (!isStream) return answerTo(id, await readJson(texts.join(''), step))
  throw new StepError('The MCP server ended its stream before it had answered.', { code: 'mcp_broken_off' })
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
  take(piece: string): readonly string[] {
    this.#pieces.push(piece)
    const seen = this.#seam + piece
    this.#seam = seen.slice(-SEAM)
    if (!seen.includes('\n\n') && !seen.includes('\r\n\r\n')) return []
    const { events, rest } = eventsIn(this.#pieces.join(''))
    this.#pieces = [rest]
    this.#seam = rest.slice(-SEAM)
    return events
  }
}

/** The data of whole events, and what has not ended yet. */
function eventsIn(text: string): { readonly events: readonly string[]; readonly rest: string } {
  const end = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\r\n\r\n'))
  if (end < 0) return { events: [], rest: text }
  const events = text
    .slice(0, end)
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trimStart())
        .join('\n')
    )
  return { events: events.filter((data) => data !== ''), rest: text.slice(end + 2) }
}

async function readJson(text: string, step: Pick<Step, 'pause'>): Promise<Message> {
  let value: JsonValue
  try {
    value = await inTurns(parseJsonInTurns(text, DEEPEST, MOST_MEMBERS), step)
  } catch (error) {
    throw new StepError(
      `The MCP server did not answer with JSON that can be read: ${String(error).slice(0, 200)}`,
      { code: 'mcp_answer_invalid', retryable: false }
    )
  }
  if (isPlainObject(value)) return value as Message
  throw noAnswer()
}

function tooLarge(): StepError {
  return new StepError(
    'The MCP server answered with more than 4 MB, and was not read any further. Ask it for less at once.',
    { code: 'mcp_answer_too_large', retryable: false }
  )
}
