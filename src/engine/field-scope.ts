import type { RunView } from '../flows/component/component.ts'
import type { Turns } from '../flows/in-turns.ts'
import { TextTooLong } from '../flows/json/bounded-text.ts'
import { isPlainObject, type JsonValue } from '../flows/json/exact-json.ts'
import { TemplateError } from '../flows/template/template-error.ts'
import { StepError } from './step-error.ts'

/** What the templates of a node read: the data and the variables of the context. */
export interface TemplateScope {
  readonly data: { readonly [key: string]: JsonValue }
  readonly variables: Readonly<Record<string, JsonValue>>
}

export function scopeOf(data: JsonValue | undefined, variables: RunView['variables']): TemplateScope {
  // A list has places for keys: {0.name} reads them. Text and numbers have none.
  const hasKeys = isPlainObject(data) || Array.isArray(data)
  return { data: (hasKeys ? data : {}) as TemplateScope['data'], variables }
}

/** Whatever a template of this field throws, as an error of the step that names the field. */
export function inField<T>(field: string, render: () => T): T {
  try {
    return render()
  } catch (error) {
    throw errorOfField(field, error)
  }
}

/** The same for what is rendered in turns. */
export function* inFieldTurns<T>(field: string, rendering: Turns<T>): Turns<T> {
  try {
    return yield* rendering
  } catch (error) {
    throw errorOfField(field, error)
  }
}

function errorOfField(field: string, error: unknown): unknown {
  const isTooLong = error instanceof TextTooLong
  if (!isTooLong && !(error instanceof TemplateError)) return error
  const message = isTooLong
    ? `its templates give more than ${error.limit} characters, which is the most here. Put less into them.`
    : error.message
  const code = isTooLong ? 'template_bad_value' : error.code
  return new StepError(`Field "${field}": ${message}`, { code, retryable: false, cause: error })
}
