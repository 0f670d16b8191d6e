import { spawn } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../clock.ts'
import { MillraceError } from '../../errors.ts'
import type { PackedDocument } from './pack-document.ts'
import type { DocumentFacts } from './read-operations.ts'

const PROGRAM = fileURLToPath(new URL(`./document-process${extname(import.meta.url)}`, import.meta.url))

/** A document of 13 MB takes a second, YAML of 4 MB six; more where others have the processors. */
const LONGEST_MS = 60_000
/** GitHub's takes 100 MB, YAML of 4 MB 500. */
const MOST_MEGABYTES = 768

/** Collecting its garbage early costs no time that could be measured, and saves a fifth of the memory. */
const FLAGS = [`--max-old-space-size=${MOST_MEGABYTES}`, '--max-semi-space-size=2', '--optimize-for-size']

/** What the process writes first: what it has found, or why it found nothing. */
interface Head {
  readonly fault?: string
  readonly facts: DocumentFacts
  readonly operations: number
  /** So many lines of the index follow; the rest are parts. */
  readonly pieces: number
}

/** Has a document read in a process of its own. Throws `document_invalid` with what is wrong and where. */
export async function loadDocument(
  bytes: Uint8Array,
  clock: Pick<Clock, 'startTimer'>
): Promise<PackedDocument> {
  const lines = (await answerOf(bytes, clock)).toString('latin1').split('\n')
  // Names and titles are in any language.
  const head: Head = JSON.parse(Buffer.from(lines[0]!, 'latin1').toString())
  if (head.fault !== undefined) throw documentInvalid(head.fault)
  const { facts, operations, pieces } = head
  return { facts, operations, index: lines.slice(1, 1 + pieces), parts: lines.slice(1 + pieces) }
}

function answerOf(bytes: Uint8Array, clock: Pick<Clock, 'startTimer'>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const reader = spawn(process.execPath, [...FLAGS, PROGRAM, String(bytes.length)], {
      // Nothing that the service knows is its business.
      env: {},
      stdio: ['pipe', 'pipe', 'ignore']
    })
    const timer = clock.startTimer(LONGEST_MS, () => reader.kill('SIGKILL'))
    const pieces: Buffer[] = []
    reader.stdout.on('data', (piece: Buffer) => pieces.push(piece))
    // It ends before it has read all where it finds a fault.
    reader.stdin.on('error', () => {})
    reader.on('error', (error) => {
      timer.stop()
      reject(error)
    })
    reader.on('close', (code) => {
      timer.stop()
      if (code === 0) resolve(Buffer.concat(pieces))
      else reject(tooMuch())
    })
    reader.stdin.end(bytes)
  })
}

function tooMuch(): MillraceError {
  return documentInvalid(
    `The document took more than ${LONGEST_MS / 1000} seconds or ${MOST_MEGABYTES} MB of memory to read. Send it as JSON, or the operations that flows use alone.`
  )
}

export function documentInvalid(message: string): MillraceError {
  return new MillraceError('document_invalid', message)
}
