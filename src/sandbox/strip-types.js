import { stripTypeScriptTypes } from 'node:module'

/** What is wrong with the text of code, and where. */
export class CodeSyntaxError extends Error {
  /** @param {{ line?: number, column?: number, isSpent?: boolean }} place */
  constructor(message, { line, column, isSpent = false } = {}) {
    super(message)
    this.line = line
    this.column = column
    /** What strips types is of no use any more, in this thread. */
    this.isSpent = isSpent
  }
}

/** JavaScript of the same lines and columns. What Node strips types with is loaded at the first call, with its 8 MB. */
export function stripTypes(code) {
  try {
    return stripTypeScriptTypes(code)
  } catch (error) {
    if (!/^ERR_(?:UNSUPPORTED|INVALID)_TYPESCRIPT_SYNTAX$/.test(error.code))
      // Out of its stack it has left its memory in disorder, and fails for good.
      throw new CodeSyntaxError('It is nested too deep to be read', { isSpent: true })
    const { words, ...place } = readFault(error)
    throw new CodeSyntaxError(inPlainWords(words), place)
  }
}

function inPlainWords(words) {
  if (!words.endsWith(' in strip-only mode')) return words
  return `${words.replace(' in strip-only mode', '')}. Types are taken out and nothing else is changed, so use what JavaScript has, such as an object in place of an enum`
}

/**
 * Node tells the place only as a picture: above the stack, or, up to Node 22, in the message itself.
 *
 * @param {{ message: string, stack?: string }} error
 * @returns {{ words: string, line?: number, column?: number }}
 */
export function readFault({ message, stack = '' }) {
  const [, words, line, picture = ''] = /^\s*x (.+?)\n\s*,-\[(\d+):\d+\](.*)$/s.exec(message) ?? []
  if (words === undefined) return { words: message, ...placeAbove(stack) }
  const marks = picture.split('\n').find((each) => /^\s*: *\^/.test(each)) ?? ''
  return { words, line: Number(line), column: Math.max(1, marks.indexOf('^') - marks.indexOf(':') - 1) }
}

/** ":4", then the line, then what is under it. */
function placeAbove(stack) {
  const [head, ...lines] = String(stack).split('\n')
  const line = /:(\d+)$/.exec(head)?.[1]
  if (line === undefined) return {}
  const marks = lines.slice(0, 4).find((each) => /^\s*\^+$/.test(each))
  return { line: Number(line), ...(marks !== undefined && { column: marks.indexOf('^') + 1 }) }
}
