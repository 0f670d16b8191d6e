import { type CompiledSchema, type JsonValue, parseJson, StepError } from '../../plugin-api.ts'

/** What a text is worth by a schema. */
export type Judged =
  | { readonly isGood: true; readonly data: JsonValue }
  | { readonly isGood: false; readonly faults: readonly string[] }

/** Reads the data out of a model's text, and holds it to the schema: providers promise it and do not always keep it. */
export function judge(text: string, schema: CompiledSchema): Judged {
  const json = withoutFence(text)
  let plain: unknown
  try {
    plain = JSON.parse(json)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { isGood: false, faults: [`The answer is not JSON: ${why}`] }
  }
  const faults = schema.faults(plain)
  return faults.length === 0 ? { isGood: true, data: parseJson(json) } : { isGood: false, faults }
}

/** Many models put a fence of Markdown around JSON, whatever they are told. */
function withoutFence(text: string): string {
  return /^\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*$/s.exec(text)?.[1] ?? text
}

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
