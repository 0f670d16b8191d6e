import type { Message } from '../../flows/component/component.ts'
import { isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'
import type { AskedTurns } from '../../flows/step/step-memory.ts'

type Said = Pick<Message, 'sender' | 'text'>

/**
 * What was said before, where whoever sent the turn sent that too: clients of language models keep conversations themselves. Undefined:
 * it is what the session holds.
 */
export function carriedTurns(trigger: string, input: JsonValue): readonly Said[] | undefined {
  if (trigger !== 'chat' || !isPlainObject(input) || !Array.isArray(input.messages)) return undefined
  return input.messages.flatMap((message) => {
    const { sender, text } = Object(message) as Partial<Said>
    return typeof sender === 'string' && typeof text === 'string' ? [{ sender, text }] : []
  })
}

/** A turn begins with what a person said. As many as have so many tokens together; 0: all. */
export function lastTurns(
  said: readonly Said[],
  { turns, tokens = 0 }: AskedTurns,
  session: string
): Message[] {
  const begins = [...said.keys()].filter((at) => said[at]!.sender === 'User')
  const first = turns <= 0 ? said.length : (begins.at(-turns) ?? 0)
  const from = tokens > 0 ? firstFitting(said, { first, begins, tokens }) : first
  return said.slice(from).map((message) => ({ ...message, session }))
}

interface Bound {
  readonly first: number
  readonly begins: readonly number[]
  readonly tokens: number
}

/** Where the longest row of whole turns begins that ends with the last. */
function firstFitting(said: readonly Said[], { first, begins, tokens }: Bound): number {
  const starts = new Set([first, ...begins])
  let left = tokens
  let fits = said.length
  for (let at = said.length - 1; at >= first; at--) {
    left -= tokensIn(said[at]!.text)
    if (left < 0) break
    if (starts.has(at)) fits = at
  }
  return fits
}

/** Four bytes are about one token, in Latin and in other scripts; four more are for who said it. */
export function tokensIn(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4) + 4
}
