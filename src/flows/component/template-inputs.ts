import type { JsonValue } from '../json/exact-json.ts'
import { parseTemplate } from '../template/parse-template.ts'
import { templateFault } from '../template/template-fault.ts'
import { variablesOf } from '../template/template-variables.ts'
import type { Ports } from './ports.ts'

/** One input per variable of a template. One that does not compile has none until it is mended. */
export function templateInputs(template: JsonValue | undefined): Ports {
  if (typeof template !== 'string' || templateFault(template) !== undefined) return {}
  // Parsed, not compiled: the page draws ports by this, and would wait for all that prints values.
  const { fields } = parseTemplate(template)
  return Object.fromEntries(variablesOf(fields).map((name) => [name, { title: name, type: 'any' as const }]))
}
