import { createRequire } from 'node:module'
import { StepError } from '../../plugin-api.ts'

export interface Pattern {
  isFoundIn(text: string): boolean
}

/**
 * RE2, in time that grows with the text alone: a pattern of JavaScript may take years, and everything would wait for
 * it. Throws a StepError.
 */
export function compilePattern(pattern: string): Pattern {
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof import('re2js')
  try {
    const compiled = RE2JS.compile(pattern)
    return { isFoundIn: (text) => compiled.matcher(text).find() }
  } catch (error) {
    throw new StepError(
      `"${pattern.slice(0, 80)}" is not a pattern that can be used: ${(error as Error).message}. Patterns are those of RE2, without look-around and references back.`,
      { code: 'pattern_invalid', retryable: false, cause: error }
    )
  }
}
