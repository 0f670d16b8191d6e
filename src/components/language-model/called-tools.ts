import { answerTooLarge } from './bounded-answer.ts'
import type { AnswerPart } from './model-providers.ts'

/** A call of a tool, as the model wrote it. */
export interface ModelCall {
  readonly id: string
  readonly name: string
  /** Meant to be JSON. */
  readonly input: string
  /** It was too long, and `input` is its beginning. */
  readonly isCut?: true
  /** What the provider wants to have back with the result. */
  readonly provider?: unknown
}

type ToolCallPart = Extract<AnswerPart, { type: 'tool-call' }>

/** The SDK keeps all calls of tools, also where none is offered to the model. */
export const MOST_CALLS = 128
/** In characters. What a model says to a tool is sent to it again with every question that follows. */
const LONGEST_INPUT = 32 * 1024
/** Of all calls of an answer together. */
const LONGEST_INPUTS = 4 * LONGEST_INPUT

/** The tools that an answer calls, as its parts come. */
export class CalledTools {
  readonly #mayCall: boolean
  readonly #whole = new Map<string, ModelCall>()
  /** Those that have begun, with what has come of their input. */
  readonly #begun = new Map<string, { readonly name: string; input: string }>()
  #parts = 0
  #length = 0
  #tooLong: string | undefined

  constructor(mayCall: boolean) {
    this.#mayCall = mayCall
  }

  /** What comes after that is not to be read: the model is to be told at once. */
  get isOver(): boolean {
    return this.#tooLong !== undefined
  }

  /** Of what has come of inputs, in characters. */
  get length(): number {
    return this.#length
  }

  /** Where one is too long, others that are not known to be whole are left out: the model calls them again. */
  get all(): readonly ModelCall[] {
    const whole = [...this.#whole.values()]
    const id = this.#tooLong
    if (id === undefined) return whole
    const { name, input } = this.#begun.get(id)!
    return [...whole, { id, name, input: input.slice(0, LONGEST_INPUT), isCut: true }]
  }

  read(part: AnswerPart): void {
    // Most are told twice: where they begin, and when they are whole.
    if ((part.type === 'tool-input-start' || part.type === 'tool-call') && ++this.#parts > 2 * MOST_CALLS)
      throw answerTooLarge(MORE_THAN_ANY)
    if (part.type === 'tool-input-start') this.#begun.set(part.id, { name: part.toolName, input: '' })
    else if (part.type === 'tool-input-delta') this.#readInput(part.id, part.delta)
    else if (part.type === 'tool-call') this.#readWhole(part)
  }

  #readInput(id: string, delta: string): void {
    this.#length += delta.length
    const begun = this.#begun.get(id)
    if (begun === undefined) return
    begun.input += delta
    if (begun.input.length <= LONGEST_INPUT && this.#length <= LONGEST_INPUTS) return
    if (!this.#mayCall) throw answerTooLarge(MORE_THAN_ANY)
    this.#tooLong = id
  }

  #readWhole(part: ToolCallPart): void {
    if (this.#mayCall) this.#whole.set(part.toolCallId, callOf(part))
  }
}

/** What a model is told of a call with `isCut`. */
export const CUT_CALL = `The arguments have more than ${LONGEST_INPUT / 1024} kB and were not read to their end: the tool was not called. Call it with less at once, in parts if need be.`
const MORE_THAN_ANY = 'calls more tools, or with more to say to them, than any answer does'

function callOf({ toolCallId: id, toolName: name, input, providerMetadata }: ToolCallPart): ModelCall {
  const { openai: _, compatible: __, ...others } = providerMetadata ?? {}
  // What OpenAI keeps by itself is gone after a while, and is not needed.
  return { id, name, input, ...(Object.keys(others).length > 0 && { provider: others }) }
}
