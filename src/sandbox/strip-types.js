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
    if (error.code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
      throw new CodeSyntaxError(
        `${error.message.replace(' in strip-only mode', '')}. Types are taken out and nothing else is changed, so use what JavaScript has, such as an object in place of an enum`,
        placeIn(error)
      )
    if (error.code === 'ERR_INVALID_TYPESCRIPT_SYNTAX')
      throw new CodeSyntaxError(error.message, placeIn(error))
    // Out of its stack it has left its memory in disorder, and fails for good.
    throw new CodeSyntaxError('It is nested too deep to be read', { isSpent: true })
  }
}

/** Node tells the place only as a picture above the stack: ":4", then the line, then what is under it. */
function placeIn({ stack }) {
  const [head, ...lines] = String(stack).split('\n')
  const line = /:(\d+)$/.exec(head)?.[1]
  if (line === undefined) return {}
  const marks = lines.slice(0, 4).find((each) => /^\s*\^+$/.test(each))
  return { line: Number(line), ...(marks !== undefined && { column: marks.indexOf('^') + 1 }) }
}
