import { StepError } from '../../plugin-api.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: these end a line, or are read as its end by somebody
const BREAK = /[\x00-\x08\x0a-\x1f\x7f\x85\u2028\u2029]/

/** What goes into a header of a mail must not begin another one: a line break with `Bcc:` would send it to strangers. */
export function assertOneLine(field: string, text: string): void {
  if (!BREAK.test(text)) return
  throw new StepError(
    `Field "${field}": a value holds a line break or a control character, which a header of a mail cannot hold. Check what the data holds: somebody may try to add headers of their own.`,
    { code: 'header_invalid', retryable: false }
  )
}
