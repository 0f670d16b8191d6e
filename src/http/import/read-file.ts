import { MillraceError, messageOf } from '../../errors.ts'
import type { Turns } from '../../flows/in-turns.ts'
import { parsePlainInTurns } from '../../flows/json/document-json.ts'
import { readPlainlyInTurns } from '../../flows/json/read-exactly.ts'
import { BeyondBounds } from '../../flows/json/reading-bounds.ts'
import { placeAt } from '../../flows/template/template-place.ts'

/** Nobody's flows are nested deeper, and what reads them calls itself for each level. */
const BOUNDS = { depth: 200, members: 20_000, values: 1_000_000 }

/** A file in an archive, by its name. */
export interface SentFile {
  readonly name: string
  readonly text: string
}

interface ReadFile {
  readonly content: unknown
  /** What of it was not read, in a sentence; empty where all was. */
  readonly leftOut: string
}

/** What a file says. Throws a MillraceError that names the place where it is broken. */
export function* readSentFile({ name, text }: SentFile): Turns<ReadFile> {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (!/^\s*[[{]/.test(source)) throw unknownFormat(`${inFile(name)} is neither JSON nor an archive of JSON.`)
  try {
    return { content: yield* parsePlainInTurns(source, BOUNDS), leftOut: '' }
  } catch (error) {
    const position = yield* placeOfFault(source, error)
    const whole = position === undefined ? undefined : yield* readBefore(source, position)
    if (whole === undefined) throw broken(name, source, { error, position })
    const { line, column } = placeAt(source, position!)
    const leftOut = `${inFile(name)} has text behind its JSON, from line ${line}, column ${column} on: that was left out.`
    return { content: whole, leftOut }
  }
}

/** What is copied from a page or a chat often has words behind it. A file that breaks off has nothing whole before its end. */
function* readBefore(source: string, position: number): Turns<unknown> {
  try {
    return yield* parsePlainInTurns(source.slice(0, position), BOUNDS)
  } catch {
    return undefined
  }
}

export function unknownFormat(why: string): MillraceError {
  return new MillraceError(
    'unknown_format',
    `${why} Send an export of Langflow, n8n, Node-RED, Flowise or Millrace, or a ZIP archive of such files.`
  )
}

export function inFile(name: string): string {
  return name === '' ? 'The file' : `The file "${name}"`
}

function broken(
  name: string,
  source: string,
  { error, position }: { readonly error: unknown; readonly position: number | undefined }
): MillraceError {
  if (position === undefined) return brokenFile(`${inFile(name)} cannot be read: ${messageOf(error)}.`)
  const { line, column } = placeAt(source, position)
  const message = `${inFile(name)} is broken at line ${line}, column ${column}: what stands there is not JSON. Export it again.`
  return brokenFile(message, { line, column })
}

/** What JSON.parse says of short texts has no place in it. */
function* placeOfFault(source: string, error: unknown): Turns<number | undefined> {
  if (error instanceof BeyondBounds) return undefined
  try {
    yield* readPlainlyInTurns(source, BOUNDS)
  } catch (found) {
    const position = /position (\d+)/.exec(messageOf(found))?.[1]
    return position === undefined ? undefined : Number(position)
  }
  return undefined
}

function brokenFile(message: string, place: { line?: number; column?: number } = {}): MillraceError {
  return new MillraceError('import_broken', message, {
    errors: [{ code: 'import_broken', path: '', ...place, message }]
  })
}
