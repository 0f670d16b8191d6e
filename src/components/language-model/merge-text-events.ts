/** A server-sent event that carries nothing but a piece of the model's text. */
interface TextEvent {
  /** Where the text goes: pieces of the same place may be joined. */
  readonly place: string
  readonly text: string
  /** The event with another text in it. */
  readonly withText: (text: string) => object
}

/** Past this something else is sent than events; it is passed on, and nothing is gathered. */
const LONGEST_EVENT = 1024 * 1024
/** So much text is held back at the most: whoever reads the events bounds what they come to. */
const MOST_BUFFERED = 64 * 1024
const BLANK_LINE = /\n\r?\n/
/** So much of the end of a piece may be the beginning of a blank line. */
const SEAM = 2

type Members = Readonly<Record<string, unknown>>

/** What a stretch of a stream has brought. */
interface Taken {
  /** Text, as it comes. */
  readonly text: string
  /** Events for who reads the stream, the pieces of text in them joined. */
  readonly events: string
}

type Around = readonly [before: string, after: string]

/** Pieces of text of one place, on their way to become one event. */
interface BufferedText {
  readonly block: string
  readonly event: TextEvent
  /** What stands before and after the text of an event that is written like the one that was read last. */
  around: Around | undefined
  text: string
  isJoined: boolean
}

/**
 * Joins the pieces of text of a stream. A model puts out some fifty pieces a second, each an event of its own, and the
 * SDK takes 80 µs for an event of any length: for two hundred streams that was a whole core. What is not a piece of text
 * is passed on byte by byte.
 */
export class TextEventMerger {
  readonly #buffers: boolean
  readonly #decoder = new TextDecoder()
  #rest = ''
  #seam = ''
  #buffered: BufferedText | undefined
  #hasText = false

  /** `holdsBack`: events of text alone wait until another one follows; whoever wants the text has it from here. */
  constructor({ holdsBack }: { readonly holdsBack: boolean }) {
    this.#buffers = holdsBack
  }

  /** Whether a piece of text has come. */
  get hasText(): boolean {
    return this.#hasText
  }

  take(bytes: Uint8Array): Taken {
    const text = this.#decoder.decode(bytes, { stream: true })
    this.#rest += text
    const seam = this.#seam + text
    this.#seam = seam.slice(-SEAM)
    // All that is held is looked at where an event may have ended, and not for each piece: those may be of one character.
    if (this.#rest.length <= LONGEST_EVENT && !BLANK_LINE.test(seam)) return NOTHING
    const lines = this.#rest.includes('\r') ? this.#rest.replaceAll('\r\n', '\n') : this.#rest
    if (lines.length > LONGEST_EVENT) return this.#passOn(lines)
    const end = lines.lastIndexOf('\n\n')
    this.#rest = end < 0 ? lines : lines.slice(end + 2)
    return end < 0 ? NOTHING : this.#join(lines.slice(0, end).split('\n\n'))
  }

  /** What is left when the stream has ended. */
  end(): string {
    return this.#release() + this.#rest + this.#decoder.decode()
  }

  #passOn(lines: string): Taken {
    this.#rest = ''
    return { text: '', events: this.#release() + lines }
  }

  #join(blocks: readonly string[]): Taken {
    let [text, events] = ['', '']
    for (const block of blocks) {
      const known = this.#joined(block)
      const event = known === undefined ? readTextEvent(block) : undefined
      text += known ?? event?.text ?? ''
      if (known !== undefined || (event !== undefined && this.#add(block, event))) continue
      events += this.#release()
      if (event === undefined) events += `${block}\n\n`
      else this.#buffered = bufferedText(block, event)
    }
    this.#hasText ||= text !== ''
    const isDue = !this.#buffers || (this.#buffered?.text.length ?? 0) > MOST_BUFFERED
    return { text, events: isDue ? events + this.#release() : events }
  }

  /**
   * The text of an event that is written like the one before but for its text, which is the usual case: to look is
   * cheaper than to read it as JSON.
   */
  #joined(block: string): string | undefined {
    if (this.#buffered?.around === undefined) return undefined
    const [before, after] = this.#buffered.around
    if (block.length < before.length + after.length) return undefined
    if (!block.startsWith(before) || !block.endsWith(after)) return undefined
    const text = block.slice(before.length, block.length - after.length)
    if (!/^[^"\\\n]*$/.test(text)) return undefined
    this.#buffer(this.#buffered, text)
    return text
  }

  #add(block: string, { place, text }: TextEvent): boolean {
    if (this.#buffered?.event.place !== place) return false
    this.#buffer(this.#buffered, text)
    this.#buffered.around = aroundText(block, text)
    return true
  }

  #buffer(buffered: BufferedText, text: string): void {
    buffered.text += text
    buffered.isJoined = true
  }

  #release(): string {
    if (this.#buffered === undefined) return ''
    const { block, event, text, isJoined } = this.#buffered
    this.#buffered = undefined
    return `${isJoined ? rewritten(block, event.withText(text)) : block}\n\n`
  }
}

const NOTHING: Taken = { text: '', events: '' }

function bufferedText(block: string, event: TextEvent): BufferedText {
  return { block, event, around: aroundText(block, event.text), text: event.text, isJoined: false }
}

/** Undefined where it is not plain which part of the event is the text. */
function aroundText(block: string, text: string): Around | undefined {
  const written = JSON.stringify(text)
  const at = block.indexOf(written)
  if (at < 0 || block.lastIndexOf(written) !== at) return undefined
  return [block.slice(0, at + 1), block.slice(at + written.length - 1)]
}

function rewritten(block: string, data: object): string {
  const line = block.startsWith('data:') ? '' : block.slice(0, block.indexOf('\n') + 1)
  return `${line}data: ${JSON.stringify(data)}`
}

const DATA = /^(?:event: ?[\w.]+\n)?data: ?(\{.*\})$/

function readTextEvent(block: string): TextEvent | undefined {
  const json = DATA.exec(block)?.[1]
  if (json === undefined) return undefined
  try {
    const data = JSON.parse(json) as Members
    return ofResponses(data) ?? ofMessages(data) ?? ofChat(data) ?? ofGoogle(data)
  } catch {
    return undefined
  }
}

function ofResponses(data: Members): TextEvent | undefined {
  const { type, delta, item_id, output_index, content_index, logprobs } = data
  if (type !== 'response.output_text.delta' || typeof delta !== 'string') return undefined
  if (Array.isArray(logprobs) && logprobs.length > 0) return undefined
  const place = `responses ${String(item_id)} ${String(output_index)} ${String(content_index)}`
  return { place, text: delta, withText: (text) => ({ ...data, delta: text }) }
}

function ofMessages(data: Members): TextEvent | undefined {
  const { type, index, delta } = data as { type?: unknown; index?: unknown; delta?: Members }
  if (type !== 'content_block_delta' || delta?.type !== 'text_delta') return undefined
  if (typeof delta.text !== 'string') return undefined
  return {
    place: `messages ${String(index)}`,
    text: delta.text,
    withText: (text) => ({ ...data, delta: { ...delta, text } })
  }
}

/** Members besides the text may say something: then it is left as it is. */
function ofChat(data: Members): TextEvent | undefined {
  const [choice, ...others] = (data.choices ?? []) as Members[]
  const { delta, finish_reason, index, logprobs } = (choice ?? {}) as Members & { delta?: Members }
  if (others.length > 0 || finish_reason != null || logprobs != null || data.usage != null) return undefined
  if (typeof delta?.content !== 'string' || !onlyHas(delta, ['content', 'role'])) return undefined
  return {
    place: `chat ${String(index)}`,
    text: delta.content,
    withText: (content) => ({ ...data, choices: [{ ...choice, delta: { ...delta, content } }] })
  }
}

function ofGoogle(data: Members): TextEvent | undefined {
  const [candidate, ...others] = (data.candidates ?? []) as Members[]
  if (candidate === undefined || others.length > 0 || !onlyHas(candidate, ['content', 'index']))
    return undefined
  const { parts = [], role } = (candidate.content ?? {}) as { parts?: Members[]; role?: unknown }
  const [part] = parts
  if (parts.length !== 1 || typeof part?.text !== 'string' || !onlyHas(part, ['text'])) return undefined
  return {
    place: 'google',
    text: part.text,
    withText: (text) => ({ ...data, candidates: [{ ...candidate, content: { role, parts: [{ text }] } }] })
  }
}

function onlyHas(object: Members, names: readonly string[]): boolean {
  return Object.keys(object).every((name) => names.includes(name))
}
