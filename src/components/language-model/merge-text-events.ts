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

type Members = Readonly<Record<string, unknown>>

/**
 * Joins the pieces of text that are in one stretch of a stream. A model puts out some fifty pieces a second, each an
 * event of its own, and the SDK takes 80 µs for an event of any length: for two hundred streams that was a whole core.
 * What is not a piece of text is passed on byte by byte.
 */
export class TextEventMerger {
  #rest = ''
  #hasText = false
  readonly #decoder = new TextDecoder()

  /** Whether a piece of text has come. */
  get hasText(): boolean {
    return this.#hasText
  }

  take(bytes: Uint8Array): string {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true })
    const lines = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text
    const end = lines.length > LONGEST_EVENT ? lines.length : lines.lastIndexOf('\n\n') + 2
    if (end < 2) {
      this.#rest = lines
      return ''
    }
    this.#rest = lines.slice(end)
    return this.#merged(lines.slice(0, end))
  }

  /** What is left when the stream has ended. */
  end(): string {
    return this.#rest + this.#decoder.decode()
  }

  #merged(events: string): string {
    const blocks = events.split('\n\n')
    this.#hasText ||= blocks.some((block) => (readTextEvent(block)?.text ?? '') !== '')
    return blocks.length < 3 ? events : merged(blocks)
  }
}

function merged(blocks: readonly string[]): string {
  const written: string[] = []
  let open: { readonly first: TextEvent; readonly block: string; texts: string[] } | undefined
  const close = () => {
    if (open === undefined) return
    const { first, block, texts } = open
    written.push(texts.length === 1 ? block : rewritten(block, first.withText(texts.join(''))))
    open = undefined
  }
  for (const block of blocks) {
    const like = open === undefined ? undefined : textOfLike(block, open)
    if (like !== undefined) {
      open!.texts.push(like)
      continue
    }
    const event = readTextEvent(block)
    if (event !== undefined && open?.first.place === event.place) {
      open.texts.push(event.text)
      continue
    }
    close()
    if (event === undefined) written.push(block)
    else open = { first: event, block, texts: [event.text] }
  }
  close()
  return written.join('\n\n')
}

/**
 * The text of an event that is written like another one but for its text, which is the usual case: to look is cheaper
 * than to read it as JSON.
 */
function textOfLike(
  block: string,
  { block: other, first }: { block: string; first: TextEvent }
): string | undefined {
  const written = JSON.stringify(first.text)
  const at = other.lastIndexOf(written)
  const tail = other.length - at - written.length + 1
  if (at < 0 || block.length < at + 1 + tail || !block.startsWith(other.slice(0, at + 1))) return undefined
  if (!block.endsWith(other.slice(other.length - tail))) return undefined
  const text = block.slice(at + 1, block.length - tail)
  return /^[^"\\\n]*$/.test(text) ? text : undefined
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
