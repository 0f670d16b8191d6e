import { relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where our code is, and where source maps say that it is; in a clone they are the same. */
const OWN_SOURCES = ['../../', '../../../src/'].map((path) => fileURLToPath(new URL(path, import.meta.url)))
/** The packages that Millrace brings are beside it where it is one itself. */
const OWN_PACKAGES = packagesFolder(fileURLToPath(new URL('../../../', import.meta.url)))
const FRAME = /(?:\(|at (?:async )?)((?:file:\/\/\/|\/|[A-Za-z]:[\\/])[^<>]*):(\d+):\d+\)?$/
/** Stands above the stack of what could not be read as code: Node says where in a line of its own. */
const UNREADABLE = /^((?:file:\/\/\/|\/|[A-Za-z]:[\\/])[^<>]*):(\d+)$/
const FRAMEWORK = /[\\/]node_modules[\\/](?:fastify|avvio)[\\/]/
const PACKAGE = /[\\/]node_modules[\\/]/

/** A file as people write it: from the working directory where it lies below that. */
export function shortPath(file: string): string {
  const path = relative(process.cwd(), resolve(file))
  return path.startsWith('..') ? resolve(file) : path
}

/** The first line of the stack that is neither Millrace's, Node's nor Fastify's, and no package's if possible. */
export function callingLine(stack: string): string | null {
  let packaged: string | null = null
  for (const { file, line } of framesOf(stack)) {
    if (OWN_SOURCES.some((own) => file.startsWith(own)) || FRAMEWORK.test(file)) continue
    const place = `${shortPath(file)}:${line}`
    if (!PACKAGE.test(file)) return place
    packaged ??= place
  }
  return packaged
}

/**
 * ` (at plugins/sales.ts:12)` for a mistake in code, whose message alone tells nobody where it was made. What is thrown
 * on purpose, an Error as such, says what there is to say.
 */
export function placeOfMistake(error: unknown): string {
  const isMistake = [SyntaxError, TypeError, ReferenceError, RangeError].some((kind) => error instanceof kind)
  if (!isMistake) return ''
  const { stack = '' } = error as Error
  const [, file, line] = UNREADABLE.exec(stack.split('\n', 1)[0]!) ?? []
  const place = file === undefined ? callingLine(stack) : `${shortPath(pathOf(file))}:${line}`
  return place === null ? '' : ` (at ${place})`
}

/** Whether nobody but Millrace, with the packages that it brings, had a hand in an error: no line of it is another's. */
export function isOwnError(error: unknown): boolean {
  const files = [...framesOf(stackOf(error))].map(({ file }) => file)
  return (
    files.length > 0 &&
    files.every((file) => [...OWN_SOURCES, OWN_PACKAGES].some((own) => file.startsWith(own)))
  )
}

export function packagesFolder(own: string): string {
  const outermost = own.indexOf(`${sep}node_modules${sep}`)
  return `${outermost < 0 ? own.replace(/[\\/]$/, '') : own.slice(0, outermost)}${sep}node_modules${sep}`
}

/** Whatever was thrown: it may be nothing like an error, and may not even let itself be read. */
function stackOf(error: unknown): string {
  try {
    const { stack } = Object(error) as { stack?: unknown }
    return typeof stack === 'string' ? stack : ''
  } catch {
    return ''
  }
}

function* framesOf(stack: string): Generator<{ readonly file: string; readonly line: string }> {
  for (const text of stack.split('\n')) {
    const match = FRAME.exec(text.trim())
    if (match !== null) yield { file: pathOf(match[1]!), line: match[2]! }
  }
}

function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file
}
