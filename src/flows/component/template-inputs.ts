import type { JsonValue } from '../json/exact-json.ts'
import { parseTemplate } from '../template/parse-template.ts'
import { TemplateError } from '../template/template-error.ts'
import { variablesOf } from '../template/template-variables.ts'
import type { Ports } from './ports.ts'

/** One input per variable of a template. One that does not compile has none until it is mended. */
export function templateInputs(template: JsonValue | undefined): Ports {
  if (typeof template !== 'string') return {}
  return Object.fromEntries(namesIn(template).map((name) => [name, { title: name, type: 'any' as const }]))
}

/** Parsed, not compiled: the page draws ports by this, and would wait for all that prints values. */
function namesIn(template: string): readonly string[] {
  try {
    return variablesOf(parseTemplate(template).fields)
  } catch (error) {
    if (error instanceof TemplateError) return []
    throw error
  }
}
