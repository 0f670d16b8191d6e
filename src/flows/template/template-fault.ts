import { parseTemplate } from './parse-template.ts'
import { TemplateError } from './template-error.ts'

export interface TemplateFault {
  readonly code: string
  readonly line: number
  readonly column: number
  readonly message: string
}

/** What keeps a template from being compiled, or undefined when it is sound. */
export function templateFault(source: string): TemplateFault | undefined {
  try {
    parseTemplate(source)
    return undefined
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const { code, line, column, message } = error
    return { code, line, column, message }
  }
}
