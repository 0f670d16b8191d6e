import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readEvents } from './read-events.ts'

it('reads events however they are cut, passes comments over, and lets go of the stream', async () => {
  const bytes = new TextEncoder().encode(
    ': connected\n\nevent: doing\ndata: {"text":"Ä\\n"}\n\n: still\n\nevent: end\ndata: {"a":1}\n\nevent: cut\ndata: {'
  )
  for (const size of [1, 3, 7, bytes.length]) {
    let isLeft = false
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
      },
      cancel: () => {
        isLeft = true
      }
    })
    const read: unknown[] = []
    for await (const { event, data } of readEvents(stream)) {
      read.push([event, data])
      if (event === 'end') break
    }
    assert.deepEqual(read, [
      ['doing', { text: 'Ä\n' }],
      ['end', { a: 1 }]
    ])
    assert.ok(isLeft)
  }
})
