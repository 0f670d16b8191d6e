/**
 * The thread that holds the indexes of collections and searches them: see knowledge-index.ts. Plain JavaScript, since what strips
 * types would take 8 MB of memory in this thread as well.
 */
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { CollectionIndex } from './collection-index.js'

const NICE = 5

// Requests go first. Elsewhere than on Linux a thread has no priority of its own, and this would be the service's.
if (process.platform === 'linux') setPriority(0, NICE)

const indexes = new Map()

const WORK = {
  begin: ({ name, model }) => void indexes.set(name, new CollectionIndex(model)),
  add: ({ name, pieces }) => indexes.get(name).add(pieces),
  retain: ({ name, revisions }) => indexes.get(name).retain(revisions),
  state: ({ name }) => ({ alive: indexes.get(name).alive, isOld: indexes.get(name).isOld }),
  search: ({ name, question }) => indexes.get(name).search(question),
  forget: ({ name }) => void indexes.delete(name)
}

parentPort.on('message', ({ id, order }) => {
  try {
    parentPort.postMessage({ id, answer: WORK[order.kind](order) })
  } catch (error) {
    parentPort.postMessage({ id, error: String(error?.message ?? error) })
  }
})
