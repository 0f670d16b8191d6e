import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readEvents } from './read-events.ts'

const STREAM =
  'retry: 1000\nid: 4.0\n: connected\n\n: still here\n\nid: 5.0\nevent: run.ended\ndata: {"a":"ü"}\n\n'
const SENT = [
  { id: '4.0', event: '', data: '' },
  { id: '5.0', event: 'run.ended', data: '{"a":"ü"}' }
]

describe('readEvents', () => {
  it('reads the same however the bytes are cut', async () => {
    const bytes = new TextEncoder().encode(STREAM)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 12 }),
        async (places) => {
          const cuts = [0, ...places.toSorted((a, b) => a - b), bytes.length]
          const pieces = cuts.slice(1).map((end, at) => bytes.subarray(cuts[at]!, end))
          assert.deepEqual(await Array.fromAsync(readEvents(piecesOf(pieces))), SENT)
        }
      )
    )
  })

  it('puts lines of data together, and leaves out an event that is not whole', async () => {
    const text = new TextEncoder().encode('event: a\ndata: 1\ndata: 2\n\ndata: 3')
    assert.deepEqual(await Array.fromAsync(readEvents(piecesOf([text]))), [
      { id: null, event: 'a', data: '1\n2' }
    ])
  })
})

async function* piecesOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces
}
