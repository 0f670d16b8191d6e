import type { RunView } from '../flows/component/component.ts'
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
    if (!(error instanceof TemplateError)) throw error
    throw new StepError(`Field "${field}": ${error.message}`, {
      code: error.code,
      retryable: false,
      cause: error
    })
  }
}
