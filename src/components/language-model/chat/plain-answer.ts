import { isPlainObject } from '../../../plugin-api.ts'
import { MOST_CALLS } from '../called-tools.ts'
import type { AnswerPart } from '../model-providers.ts'

type Members = Readonly<Record<string, unknown>>

interface Call {
  readonly id: string
  readonly name: string
  input: string
}

const FINISHES: Readonly<Record<string, 'stop' | 'length' | 'tool-calls'>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls'
}

/** In characters: a longer one is left to the SDK, which gets what came before. No call in it is longer than any may be. */
const LONGEST = 32 * 1024

/** Thrown inside: something is said in a way that only the SDK knows what to make of. */
class NotPlain extends Error {}

/**
 * Reads a streamed answer of Chat Completions where all of it is said in the one plain way: text, thoughts, calls that begin with their
 * id and name, usage. Servers say the same in many other ways, and those are for the SDK.
 */
export class PlainAnswer {
  readonly #calls = new Map<number, Call>()
  #length = 0
  #rest = ''
  #text = ''
  #thought = ''
  #finish: string | undefined
  #usage: Members | undefined

  /** Takes the events as they come. False once the answer is not a plain one. */
  take(events: string): boolean {
    this.#length += events.length
    if (this.#length > LONGEST || events.includes('\r')) return false
    const blocks = (this.#rest + events).split('\n\n')
    this.#rest = blocks.pop()!
    try {
      for (const block of blocks) this.#read(block)
      return true
    } catch {
      return false
    }
  }

  /** What it said, when it has ended; undefined where it broke off. */
  parts(): AnswerPart[] | undefined {
    if (this.#finish === undefined) return undefined
    const parts: AnswerPart[] = []
    if (this.#thought !== '') parts.push({ type: 'reasoning-delta', id: 'thought', delta: this.#thought })
    if (this.#text !== '') parts.push({ type: 'text-delta', id: 'text', delta: this.#text })
    for (const { id, name, input } of this.#calls.values())
      parts.push({ type: 'tool-call', toolCallId: id, toolName: name, input })
    const finishReason = { unified: FINISHES[this.#finish]!, raw: this.#finish }
    parts.push({ type: 'finish', finishReason, usage: usageOf(this.#usage) })
    return parts
  }

  #read(block: string): void {
    if (block === '' || block.startsWith(':')) return assert(!block.includes('\n'))
    const data = /^data: ?(.*)$/.exec(block)?.[1]
    assert(data !== undefined)
    if (data === '[DONE]') return
    const { choices, usage, error } = membersOf(JSON.parse(data))
    assert(error === undefined && Array.isArray(choices) && choices.length <= 1)
    if (usage !== undefined && usage !== null) this.#usage = countsOf(usage)
    if (choices.length === 1) this.#readChoice(membersOf(choices[0]))
  }

  #readChoice({ index, delta, finish_reason }: Members): void {
    assert(index === undefined || index === 0)
    if (finish_reason !== undefined && finish_reason !== null) {
      assert(typeof finish_reason === 'string' && Object.hasOwn(FINISHES, finish_reason))
      this.#finish = finish_reason
    }
    if (delta === undefined || delta === null) return
    const { role, content, refusal, reasoning_content, reasoning, tool_calls } = membersOf(delta)
    assert((role === undefined || role === null || role === 'assistant') && (refusal ?? null) === null)
    this.#text += textOf(content)
    this.#thought += textOf(reasoning_content ?? reasoning)
    if (tool_calls === undefined || tool_calls === null) return
    assert(Array.isArray(tool_calls))
    for (const call of tool_calls) this.#readCall(membersOf(call))
  }

  #readCall({ index, id, function: called, extra_content }: Members): void {
    assert(typeof index === 'number' && extra_content === undefined)
    const { name, arguments: input } = membersOf(called)
    const known = this.#calls.get(index)
    if (known !== undefined) {
      // Some say in each piece which call it is a part of.
      assert(isNothing(id) && isNothing(name))
      known.input += textOf(input)
      return
    }
    // In order, each with an id of its own.
    const others = [...this.#calls]
    assert(others.length < MOST_CALLS)
    assert(isSaid(id) && isSaid(name) && others.every(([at, other]) => at < index && other.id !== id))
    this.#calls.set(index, { id, name, input: textOf(input) })
  }
}

function assert(isPlain: boolean): asserts isPlain {
  if (!isPlain) throw new NotPlain()
}

function membersOf(value: unknown): Members {
  assert(isPlainObject(value))
  return value as Members
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  assert(typeof value === 'string')
  return value
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null
}

function isSaid(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

const COUNTS = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const
const DETAILS = ['prompt_tokens_details', 'completion_tokens_details'] as const

function countsOf(usage: unknown): Members {
  const counts = membersOf(usage)
  for (const name of COUNTS) assert(isNothing(counts[name]) || typeof counts[name] === 'number')
  for (const name of DETAILS)
    if (!isNothing(counts[name]))
      for (const count of Object.values(membersOf(counts[name])))
        assert(isNothing(count) || typeof count === 'number')
  return counts
}

function usageOf(usage: Members | undefined): Extract<AnswerPart, { type: 'finish' }>['usage'] {
  const count = (value: unknown) => (value ?? 0) as number
  const details = (name: (typeof DETAILS)[number]) => (usage?.[name] ?? {}) as Members
  const told = usage !== undefined
  const [input, output] = [count(usage?.prompt_tokens), count(usage?.completion_tokens)]
  const cached = count(details('prompt_tokens_details').cached_tokens)
  const reasoning = count(details('completion_tokens_details').reasoning_tokens)
  return {
    inputTokens: {
      total: told ? input : undefined,
      noCache: told ? input - cached : undefined,
      cacheRead: told ? cached : undefined,
      cacheWrite: undefined
    },
    outputTokens: {
      total: told ? output : undefined,
      text: told ? Math.max(0, output - reasoning) : undefined,
      reasoning: told ? reasoning : undefined
    }
  }
}
