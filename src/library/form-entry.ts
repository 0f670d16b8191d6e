import type { Catalogue } from '../flows/component/catalogue.ts'
import { resolveFields } from '../flows/component/component.ts'
import { fillVariables, readsVariables } from '../flows/component/context-variables.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import { type Form, readForm } from '../flows/form/form.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import { startNodes } from './start-nodes.ts'
import type { EntryDefaults } from './webhook-entry.ts'

/** What a flow's form shows and asks for: the fields of its Form node. */
export interface FormEntry {
  readonly form: Form
  /** Forms per minute; 0 is no limit. */
  readonly rateLimit: number
  /** What `{$name}` reads in the words of thanks. */
  readonly variables: Readonly<Record<string, JsonValue>>
}

/** Texts that visitors read before they send anything. */
const SHOWN = ['title', 'description', 'button', 'picture'] as const

export function formEntry(
  document: FlowDocument,
  catalogue: Catalogue,
  defaults: Pick<EntryDefaults, 'variables'>
): FormEntry | null {
  const { context } = document
  const node = startNodes(document).find(({ type }) => catalogue.find(context, type)?.trigger === 'form')
  if (node === undefined) return null
  const fields = resolveFields(catalogue.find(context, node.type)!, node.fields as Record<string, JsonValue>)
  const variables = defaults.variables(context)
  for (const name of SHOWN) fields[name] = filled(fields[name], name, variables)
  return { form: readForm(fields), rateLimit: Number(fields.rate_limit ?? 0), variables }
}

/** Where a variable is missing the text is shown as it was written: the form can still be sent. */
function filled(value: JsonValue | undefined, name: string, variables: FormEntry['variables']): JsonValue {
  if (!readsVariables(value)) return value ?? ''
  try {
    return fillVariables(value, name, variables)
  } catch {
    return value
  }
}
