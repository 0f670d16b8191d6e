import { setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { DocumentResult } from '../flows/step/step-documents.ts'
import {
  type DocumentAnswer,
  type DocumentBytes,
  type DocumentOrder,
  type DocumentStart,
  PIECE_BYTES
} from './document-messages.ts'
import { readDocument } from './read-document.ts'

/**
 * A process of its own that reads documents, started by document-reader.ts. Half a megabyte of PDF can take more than a gigabyte, in
 * buffers that no limit of a heap holds, and the packages that read it compute without a pause.
 */

const NICE = 5

const start = JSON.parse(process.argv[2]!) as DocumentStart

// In a thread, since this one may be inside of a package for long. And a service that is killed tells nobody.
const watch = `const { workerData: { parent, mostResident } } = require('node:worker_threads')
const resident = () => process.memoryUsage.rss()
const end = () => process.kill(process.pid, 'SIGKILL')
setInterval(() => resident() > mostResident && end(), 20)
setInterval(() => process.ppid !== parent && end(), 1000)`
new Worker(watch, { eval: true, workerData: start, execArgv: [] })

// Requests go first.
setPriority(0, NICE)
// They reach all processes of a terminal or of a container; the service decides what they mean.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())
process.on('message', (message: DocumentOrder | DocumentBytes) => {
  if (message.kind === 'order') begin(message)
  else add(message.bytes)
})

interface Coming {
  readonly order: DocumentOrder
  readonly pieces: Uint8Array[]
  missing: number
}

let coming: Coming | undefined

function begin(order: DocumentOrder): void {
  const missing = order.documents.reduce((sum, { size }) => sum + size, 0)
  coming = { order, pieces: [], missing }
  if (missing === 0) void read(coming)
}

function add(bytes: Uint8Array): void {
  if (coming === undefined) return
  coming.pieces.push(bytes)
  coming.missing -= bytes.byteLength
  if (coming.missing <= 0) void read(coming)
}

async function read({ order, pieces }: Coming): Promise<void> {
  coming = undefined
  try {
    answer(await readAll(order, Buffer.concat(pieces)), order)
  } catch (error) {
    send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
}

async function readAll({ task, documents }: DocumentOrder, bytes: Buffer): Promise<DocumentResult[]> {
  const results: DocumentResult[] = []
  let from = 0
  for (const { size, filename, contentType } of documents) {
    // Packages hand bytes on to threads and take them away from whoever has them: each has its own.
    const own = Uint8Array.from(bytes.subarray(from, from + size))
    results.push(await readDocument(task, { bytes: own, filename, contentType }))
    from += size
  }
  return results
}

function answer(results: readonly DocumentResult[], { mostCharacters }: DocumentOrder): void {
  const text = JSON.stringify(results)
  if (text.length > mostCharacters) return send({ kind: 'too-long' })
  for (let from = 0; from < text.length; from += PIECE_BYTES) {
    const to = from + PIECE_BYTES
    send({ kind: 'piece', text: text.slice(from, to), isLast: to >= text.length })
  }
}

function send(message: DocumentAnswer): void {
  process.send!(message)
}
