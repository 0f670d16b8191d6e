import { MillraceError, messageOf } from '../../errors.ts'
import { placeOfMistake } from './stack-lines.ts'

/** A plugin that failed while it was loaded. The innermost is the one to name; those around only pass it on. */
export function failedToLoad(
  owner: string,
  path: string,
  error: unknown,
  place = placeOfMistake(error)
): MillraceError {
  if (error instanceof MillraceError && error.code === 'plugin_failed') return error
  // A start ends with one line, whatever the plugin says.
  const cause = messageOf(error).replaceAll(/\s*\n\s*/g, ' ')
  return new MillraceError(
    'plugin_failed',
    `Plugin "${owner}" failed to load in context "${path}": ${cause}${place}`,
    { cause: error }
  )
}
