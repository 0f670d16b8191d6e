import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { pathText } from './template-path.ts'

/** More lines than this nobody wants to delete again. */
const MOST_LINES = 6

/**
 * What a template begins with where something has come already: a line for each key, which is edited more quickly than
 * anything is written. Of a list its items are printed, so the keys are those of the first one. Undefined where there
 * are no keys.
 */
export function firstTemplate(came: JsonValue | undefined): string | undefined {
  const one = Array.isArray(came) ? came[0] : came
  if (!isPlainObject(one)) return undefined
  const lines = Object.keys(one).flatMap((key) => {
    const path = pathText([key])
    return path === undefined ? [] : [`${key.replaceAll('{', '{{').replaceAll('}', '}}')}: {${path}}`]
  })
  return lines.length === 0 ? undefined : lines.slice(0, MOST_LINES).join('\n')
}
