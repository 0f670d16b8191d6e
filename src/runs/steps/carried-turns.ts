import type { Message } from '../../flows/component/component.ts'
import { isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'

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

/** A turn begins with what a person said. */
export function lastTurns(said: readonly Said[], turns: number, session: string): Message[] {
  const begins = [...said.keys()].filter((at) => said[at]!.sender === 'User')
  const from = turns <= 0 ? said.length : (begins.at(-turns) ?? 0)
  return said.slice(from).map((message) => ({ ...message, session }))
}
