import { DocumentFault } from './document-fault.ts'
import { packDocument } from './pack-document.ts'
import { parseDocument } from './parse-document.ts'

/**
 * A process of its own that reads one document, started by load-document.ts, and ends. What somebody's document takes of memory
 * and time is not taken from the service, and goes with the process.
 */

/** Into room of the length that is to come: as pieces, and then as a whole, it would be there twice. */
async function gathered(): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(Number(process.argv[2]))
  let length = 0
  for await (const piece of process.stdin) length += (piece as Buffer).copy(bytes, length)
  return bytes
}

async function answer(): Promise<readonly string[]> {
  try {
    const { facts, operations, index, parts } = packDocument(await parseDocument(await gathered()))
    return [JSON.stringify({ facts, operations, pieces: index.length }), ...index, ...parts]
  } catch (error) {
    if (error instanceof DocumentFault) return [JSON.stringify({ fault: error.message })]
    if (error instanceof RangeError)
      return [JSON.stringify({ fault: 'The document is nested too deep to be read. Check what made it.' })]
    throw error
  }
}

// Ctrl-C reaches all processes of a terminal; the service decides what it means.
process.on('SIGINT', () => {})
process.stdout.end((await answer()).join('\n'))
