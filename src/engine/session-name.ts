import type { FieldFault, RunView } from '../flows/component/component.ts'
import { isPlainObject, type JsonValue } from '../flows/json/exact-json.ts'
import { compileTemplate, type Template } from '../flows/template/compile-template.ts'
import { templateFault } from '../flows/template/template-fault.ts'
import { inField, scopeOf, type TemplateScope } from './field-scope.ts'

/** The template field by which nodes name a conversation, for components that print or read messages. */
export const SESSION_FIELD = {
  kind: 'template',
  title: 'Session',
  help: 'Whose conversation it is, such as {chat_id}: {key} reads from the data that reaches the node, else from the input of the run. Empty means the session of the run.',
  hidden: true
} as const

/** In characters, as callers of the API may name one. */
const LONGEST = 200

export function sessionFaults(source: string): FieldFault[] {
  const fault = templateFault(source)
  return fault === undefined ? [] : [{ field: 'session', ...fault }]
}

/** Null: the run's own, whatever reaches the node. */
export function sessionTemplate(source: string): Template | null {
  return source.trim() === '' ? null : compileTemplate(source.trim())
}

/** The session that a node means: what its template gives, or the run's where there is none or it comes to nothing. */
export function sessionName(
  template: Template | null,
  data: JsonValue | undefined,
  run: Pick<RunView, 'input' | 'session' | 'variables'>
): string {
  if (template === null) return run.session
  const scope = scopeOf(typeof data === 'string' ? { text: data } : data, run.variables)
  const read = withInput(scope.data, run.input, template)
  const name = inField('session', () => template.render(read, scope.variables, LONGEST)).trim()
  return name === '' ? run.session : name
}

/** Who speaks is told by what started the run, and seldom by what reaches a node in its midst: a text knows of nobody. */
function withInput(data: TemplateScope['data'], input: JsonValue, template: Template): TemplateScope['data'] {
  if (!isPlainObject(input)) return data
  const further = template.variables.filter(
    (name) => !Object.hasOwn(data, name) && Object.hasOwn(input, name)
  )
  if (further.length === 0) return Object.keys(data).length === 0 ? input : data
  const inData = template.variables.filter((name) => Object.hasOwn(data, name))
  return Object.fromEntries([
    ...inData.map((name) => [name, data[name]!]),
    ...further.map((name) => [name, input[name]!])
  ])
}
