import { isReferenceName } from '../../../../src/flows/graph/run-references.ts'
import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { missingKeyError } from '../../../../src/flows/template/missing-key.ts'
import type { Field } from '../../../../src/flows/template/parse-field.ts'
import { readPath, type Scope } from '../../../../src/flows/template/read-path.ts'
import { scanTemplate } from '../../../../src/flows/template/scan-template.ts'
import { MAX_ITEMS } from './template-scopes.ts'
import { pathRange } from './template-tokens.ts'

/** A variable of a template that the payload has no value for. */
interface TemplateGap {
  readonly from: number
  readonly to: number
  /** The path as it is written. */
  readonly variable: string
  /** What a run would say. */
  readonly message: string
  /** The keys that exist where this one was looked for. */
  readonly keys: readonly string[]
}

/** What a run on this payload would miss, each with the place to underline; once per placeholder. */
export function templateGaps(
  source: string,
  payload: JsonValue | undefined,
  variables: Scope = {}
): TemplateGap[] {
  const items = Array.isArray(payload) ? payload.slice(0, MAX_ITEMS) : [payload]
  return [...scanTemplate(source)].flatMap((piece) => {
    if (piece.kind !== 'field' || piece.field.fallback !== undefined) return []
    const { field } = piece
    if (isUntold(field, variables)) return []
    const lacks = (item: unknown) => isPlainObject(item) && readPath(field, item, variables) === undefined
    const index = items.findIndex(lacks)
    if (index < 0) return []
    const where = Array.isArray(payload) ? `In item ${index}: ` : ''
    return [gapOf(source, field, items[index] as Scope, variables, where)]
  })
}

/** What no run has told yet is not missing. */
function isUntold({ contextName, steps }: Field, variables: Scope): boolean {
  if (contextName === undefined || !isReferenceName(contextName)) return false
  const value = variables[contextName]
  if (contextName !== 'nodes') return value === undefined
  return !isPlainObject(value) || steps[1] === undefined || !Object.hasOwn(value, steps[1].key)
}

function gapOf(source: string, field: Field, scope: Scope, variables: Scope, where: string): TemplateGap {
  const { message, keys = [] } = missingKeyError(source, field, scope, variables)
  return { ...pathRange(source, field), variable: field.text, message: where + message, keys }
}
