import type { Place } from './template-place.ts'

type TemplateErrorCode = 'template_syntax' | 'template_missing_key' | 'template_bad_value'

interface TemplateErrorDetails {
  readonly variable?: string
  readonly keys?: string[]
}

/** The only error that compiling or rendering a template throws. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
  readonly code: TemplateErrorCode
  /** 1-based, and counted in characters: an emoji is one column. */
  readonly line: number
  readonly column: number
  /** The path as it stands in the template, such as `user.name`. */
  readonly variable?: string
  /** The first keys that exist where the missing one was looked for; long ones are cut. */
  readonly keys?: string[]

  constructor(code: TemplateErrorCode, message: string, place: Place, details: TemplateErrorDetails = {}) {
    super(message)
    this.code = code
    this.line = place.line
    this.column = place.column
    if (details.variable !== undefined) this.variable = details.variable
    if (details.keys !== undefined) this.keys = details.keys
  }
}
