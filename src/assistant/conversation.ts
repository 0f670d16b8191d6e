import type { ModelAnswer } from '../components/language-model/ask-model.ts'
import type { ModelCall } from '../components/language-model/called-tools.ts'
import type { ModelPrompt } from '../components/language-model/model-providers.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import { parseJson } from '../flows/json/exact-json.ts'
import { asData } from './instructions.ts'

/** In characters, all that is sent at once. */
const LONGEST_PROMPT = 600_000

/** What was said before in the page, as its texts alone. */
export interface EarlierTurn {
  readonly asked: string
  readonly answered: string
}

export interface CallResult {
  readonly call: ModelCall
  readonly text: string
  readonly isFailed: boolean
}

/** What is sent to the model: it only grows. */
export class Conversation {
  readonly #prompt: ModelPrompt = []
  #length = 0

  constructor(system: string, before: readonly EarlierTurn[], question: string) {
    this.#add({ role: 'system', content: system })
    for (const { asked, answered } of before) {
      this.#add({ role: 'user', content: [{ type: 'text', text: asked }] })
      if (answered !== '') this.#add({ role: 'assistant', content: [{ type: 'text', text: answered }] })
    }
    this.say(question)
  }

  get prompt(): ModelPrompt {
    return [...this.#prompt]
  }

  get isTooLong(): boolean {
    return this.#length > LONGEST_PROMPT
  }

  say(text: string): void {
    this.#add({ role: 'user', content: [{ type: 'text', text }] })
  }

  /** What the model said and called, and what came of it. */
  answered({ text, calls }: Pick<ModelAnswer, 'text' | 'calls'>, results: readonly CallResult[]): void {
    const said = text === '' ? [] : [{ type: 'text' as const, text }]
    const called = calls.map(({ id, name, input, provider }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: name,
      input: argumentsOf(input) ?? {},
      ...(provider !== undefined && { providerOptions: provider })
    }))
    if (said.length + called.length > 0)
      this.#add({ role: 'assistant', content: [...said, ...called] } as Turn)
    if (results.length > 0) this.#add({ role: 'tool', content: results.map(toldResult) } as Turn)
  }

  #add(turn: Turn): void {
    this.#prompt.push(turn)
    this.#length += JSON.stringify(turn).length
  }
}

type Turn = ModelPrompt[number]

function toldResult({ call: { id, name }, text, isFailed }: CallResult) {
  const type = isFailed ? ('error-text' as const) : ('text' as const)
  return {
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: name,
    output: { type, value: asData(text) }
  }
}

/** Undefined where it is no object; nothing is how some models write an empty one. */
export function argumentsOf(input: string): Record<string, JsonValue> | undefined {
  if (input.trim() === '') return {}
  try {
    const value = parseJson(input)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, JsonValue>) : undefined
  } catch {
    return undefined
  }
}

/** Small models write what they should have called a tool with: as JSON, or within a fence. */
export function callInText(text: string): Record<string, JsonValue> | undefined {
  const written = (fencedIn(text) ?? text).trim()
  if (!written.startsWith('{')) return undefined
  const value = argumentsOf(written)
  const isMeant = value !== undefined && (Array.isArray(value.nodes) || Array.isArray(value.edges))
  return isMeant ? value : undefined
}

const FENCE = '```'

/** What stands in the first fence of Markdown. Not by a pattern: a model that writes a hundred thousand line breaks would hold up all. */
function fencedIn(text: string): string | undefined {
  const begin = text.indexOf(FENCE)
  const line = begin < 0 ? -1 : text.indexOf('\n', begin)
  const end = line < 0 ? -1 : text.indexOf(FENCE, line)
  return end < 0 ? undefined : text.slice(line, end)
}
