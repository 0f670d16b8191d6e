import { type JsonValue, parseJson, StepError, type Turns } from '../../plugin-api.ts'
import type { CompiledSchema } from '../schema/compile-schema.ts'

/** What a text is worth by a schema. */
type Judged =
  | { readonly isGood: true; readonly data: JsonValue }
  | { readonly isGood: false; readonly faults: readonly string[] }

/** Reads the data out of a model's text, and holds it to the schema: providers promise it and do not always keep it. */
export function* judge(text: string, schema: CompiledSchema): Turns<Judged> {
  const json = withoutFence(text)
  let data: JsonValue
  try {
    data = parseJson(json)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { isGood: false, faults: [`The answer is not JSON: ${why}`] }
  }
  const faults = yield* schema.judge(data, 'The answer')
  return faults.length === 0
    ? { isGood: true, data }
    : { isGood: false, faults: faults.map(({ message }) => message) }
}

/** Many models put a fence of Markdown around JSON, whatever they are told. */
function withoutFence(text: string): string {
  const inner = text.trim()
  const end = inner.length - FENCE.length
  if (!inner.startsWith(FENCE) || !inner.endsWith(FENCE) || end < FENCE.length) return text
  const line = inner.indexOf('\n')
  const language = inner.slice(FENCE.length, line).trim()
  return line > 0 && line < end && ['', 'json'].includes(language) ? inner.slice(line, end) : text
}

const FENCE = '```'

const MOST_NAMED = 5

export function repairRequest(faults: readonly string[]): string {
  const list = faults.slice(0, MOST_NAMED).map((fault) => `- ${fault}`)
  return `That answer does not fit the JSON Schema:\n${list.join('\n')}\nAnswer again with the whole corrected JSON and nothing else.`
}

export function misfit(model: string, faults: readonly string[]): StepError {
  return new StepError(
    `The model "${model}" did not keep to the schema, also when it was asked again: ${faults.slice(0, MOST_NAMED).join(' ')} Make the schema simpler, say in the prompt what is wanted, or choose a stronger model.`,
    { code: 'model_answer_invalid' }
  )
}
