import { MillraceError, messageOf } from '../../errors.ts'
import type { Turns } from '../../flows/in-turns.ts'
import { readPlainlyInTurns } from '../../flows/json/read-exactly.ts'
import { BrokenJson, RepeatedName } from '../../flows/json/reading-bounds.ts'
import { cutText } from '../../flows/template/quote-text.ts'
import { placeAt, printPlace } from '../../flows/template/template-place.ts'

/** Nobody's flows are nested deeper, and what reads them calls itself for each level. */
const BOUNDS = { depth: 200, members: 20_000, values: 1_000_000, isUnique: true }

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
    return { content: yield* readPlainlyInTurns(source, BOUNDS), leftOut: '' }
  } catch (error) {
    const whole = error instanceof BrokenJson ? yield* readBefore(source, error.at) : undefined
    if (whole === undefined) throw broken(name, source, error)
    const { line, column } = placeAt(source, (error as BrokenJson).at)
    const leftOut = `${inFile(name)} has text behind its JSON, from line ${line}, column ${column} on: that was left out.`
    return { content: whole, leftOut }
  }
}

/** What is copied from a page or a chat often has words behind it. A file that breaks off has nothing whole before its end. */
function* readBefore(source: string, position: number): Turns<unknown> {
  try {
    return yield* readPlainlyInTurns(source.slice(0, position), BOUNDS)
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

function broken(name: string, source: string, error: unknown): MillraceError {
  if (!(error instanceof BrokenJson || error instanceof RepeatedName))
    return brokenFile(`${inFile(name)} cannot be read: ${messageOf(error)}.`)
  const place = placeAt(source, error.at)
  if (error instanceof BrokenJson) {
    const message = `${inFile(name)} is broken at ${printPlace(place)}: what stands there is not JSON. Export it again.`
    return brokenFile(message, place)
  }
  const member = JSON.stringify(cutText(error.memberName, 80))
  const message = `${inFile(name)} has ${member} a second time in one object, at ${printPlace(place)}: which of them counts, no reader can say. Take one out, or export it again.`
  return brokenFile(message, place)
}

function brokenFile(message: string, place: { line?: number; column?: number } = {}): MillraceError {
  return new MillraceError('import_broken', message, {
    errors: [{ code: 'import_broken', path: '', ...place, message }]
  })
}
