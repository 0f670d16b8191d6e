import { parser } from '../../../../src/components/parser.ts'
import { prompt } from '../../../../src/components/prompt.ts'
import { type AnyComponent, type RunView, resolveFields } from '../../../../src/flows/component/component.ts'
import { fillVariables, variableFieldsOf } from '../../../../src/flows/component/context-variables.ts'
import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { TemplateError } from '../../../../src/flows/template/template-error.ts'
import { offsetAt } from './template-tokens.ts'

type Values = Readonly<Record<string, JsonValue>>

export type Preview =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly problem: PreviewProblem; readonly text?: undefined }

interface PreviewProblem {
  readonly code: string
  /** In the words of the run that would fail. */
  readonly message: string
  /** Where in the template, if it is the template. */
  readonly at?: number
}

/** The text that the Parser makes of a payload: by the component itself, not by a likeness of it. */
export function previewParser(fields: Values, data: JsonValue | undefined, variables: Values = {}): Preview {
  return preview(parser, {
    fields,
    inputs: data === undefined ? {} : { data },
    variables,
    output: 'parsed_text'
  })
}

/** The text that the Prompt makes of what its inputs bring. */
export function previewPrompt(fields: Values, inputs: Values, variables: Values = {}): Preview {
  return preview(prompt, { fields, inputs, variables, output: 'prompt' })
}

/** What holds where nobody has set anything else. */
const PREVIEW_LIMIT = { bytes: 16 * 1024 ** 2, of: 'step', most: 16 * 1024 ** 2 } as const

interface Trial {
  readonly fields: Values
  readonly inputs: Values
  readonly variables: Values
  readonly output: string
}

function preview(component: AnyComponent, { fields: given, inputs, variables, output }: Trial): Preview {
  const fields = resolveFields(component, given)
  try {
    const prepared = component.prepare?.(fields)
    for (const name of variableFieldsOf(component, fields)) {
      fields[name] = fillVariables(String(fields[name]), name, variables)
    }
    const outputs = component.run({
      inputs,
      fields,
      prepared,
      opened: undefined,
      run: runView(variables),
      signal: new AbortController().signal,
      node: component.type,
      listedOutputs: [],
      isWired: () => true,
      isStreamed: () => false,
      attempt: 1,
      idempotencyKey: 'preview',
      outputLimit: PREVIEW_LIMIT,
      pause: () => undefined,
      emit: () => {},
      log: () => {},
      respond: () => {},
      compute: reachesNothing,
      readDocuments: reachesNothing,
      circuit: () => ({ call: reachesNothing }),
      history: async () => [],
      payFor: () => Promise.reject(new Error('A preview asks no model.')),
      recall: async () => ({ messages: [], summary: null }),
      now: Date.now,
      ifTimedOut: () => {},
      get children(): never {
        throw new Error('A preview starts no runs.')
      },
      wait: () => {
        throw new Error('A preview does not wait.')
      },
      fetch: reachesNothing,
      request: reachesNothing,
      get files(): never {
        throw new Error('A preview uses no files.')
      },
      carried: { earlier: async () => [], add: async () => {} },
      get kept(): never {
        throw new Error('A preview keeps nothing.')
      },
      get knowledge(): never {
        throw new Error('A preview knows nothing.')
      },
      connection: () => {
        throw new Error('A preview uses no connection.')
      }
    })
    return { text: String((outputs as Record<string, unknown>)[output]) }
  } catch (error) {
    return { problem: problemOf(error, String(fields.template ?? '')) }
  }
}

const reachesNothing = () => Promise.reject(new Error('A preview reaches nothing.'))

/** Both components read nothing of the run but its variables. */
function runView(variables: Values): RunView {
  return {
    id: 'preview',
    flowId: 'preview',
    flowVersion: 0,
    trigger: 'api',
    input: null,
    request: null,
    session: 'default',
    variables,
    say: () => undefined
  }
}

function problemOf(error: unknown, template: string): PreviewProblem {
  if (!(error instanceof Error)) return { code: 'step_failed', message: String(error) }
  const found = error instanceof TemplateError ? error : error.cause
  const code = 'code' in error ? String(error.code) : 'step_failed'
  if (!(found instanceof TemplateError)) return { code, message: error.message }
  return { code, message: error.message, at: offsetAt(template, found.line, found.column) }
}
