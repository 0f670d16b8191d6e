import { createRequire } from 'node:module'
import { StepError } from '../../plugin-api.ts'
import { patternSize } from './pattern-size.ts'

export interface Pattern {
  /** Throws a StepError where it would take too long. */
  isFoundIn(text: string): boolean
  /** What that takes, in steps of some 200 ns. */
  stepsFor(text: string): number
}

/** To compile a larger one takes longer than everything else may wait. */
const LARGEST = 2_000
/** In characters: a list of them in brackets is one part, however long it is. */
const LONGEST = 50_000

/** Up to this size RE2 makes a table of it: 20 ns for each character, whatever the pattern and the text. */
const SMALL = 40
const LONGEST_FOR_SMALL = 2 * 1024 ** 2

/** Otherwise each character takes 80 ns for each part of the pattern at the worst. */
const MOST_WORK = 650_000

/**
 * RE2, in time that grows with the text and the pattern alone: a pattern of JavaScript may take years, and everything would
 * wait for it. Throws a StepError.
 */
export function compilePattern(pattern: string): Pattern {
  if (pattern.length > LONGEST || patternSize(pattern) > LARGEST) throw tooLarge(pattern)
  const compiled = compiledBy(pattern)
  const size = compiled.programSize()
  const longest = size <= SMALL ? LONGEST_FOR_SMALL : MOST_WORK / size
  return {
    isFoundIn: (text) => {
      if (text.length > longest) throw tooLong(pattern, longest)
      return compiled.test(text)
    },
    stepsFor: (text) => 2 + text.length / 10 + (size <= SMALL ? 0 : (text.length * size) / 50)
  }
}

function compiledBy(pattern: string) {
  const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof import('re2js')
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern))
  } catch (error) {
    throw new StepError(
      `"${pattern.slice(0, 80)}" is not a pattern that can be used: ${(error as Error).message}. Patterns are those of RE2, without look-around and references back.`,
      { code: 'pattern_invalid', retryable: false, cause: error }
    )
  }
}

function tooLarge(pattern: string): StepError {
  return new StepError(
    `"${pattern.slice(0, 80)}…" is too large for a pattern: written out without its repetitions, it has more than ${LARGEST} parts. Use a shorter one, or less of {…}.`,
    { code: 'pattern_invalid', retryable: false }
  )
}

function tooLong(pattern: string, longest: number): StepError {
  return new StepError(
    `The text is too long for the pattern "${pattern.slice(0, 80)}", which is looked for in ${Math.floor(longest)} characters at most. Use a shorter pattern or text, "contains", or Code.`,
    { code: 'pattern_too_costly', retryable: false }
  )
}
