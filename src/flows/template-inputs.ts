import type { JsonValue } from './exact-json.ts'
import type { Ports } from './ports.ts'
import { compileTemplate } from './template/compile-template.ts'
import { templateFault } from './template/template-fault.ts'

/** One input per variable of a template. One that does not compile has none until it is mended. */
export function templateInputs(template: JsonValue | undefined): Ports {
  if (typeof template !== 'string' || templateFault(template) !== undefined) return {}
  const { variables } = compileTemplate(template)
  return Object.fromEntries(variables.map((name) => [name, { title: name, type: 'any' as const }]))
}
