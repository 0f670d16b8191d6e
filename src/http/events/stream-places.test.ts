import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MOST_OF_KEY, MOST_STREAMS, StreamPlaces } from './stream-places.ts'

const many = (count: number, take: (at: number) => () => void) =>
  Array.from({ length: count }, (_, at) => take(at))

describe('places of event streams', () => {
  it('are bounded for each key, and free again when a stream ends, once', () => {
    const places = new StreamPlaces()
    const [leave] = many(MOST_OF_KEY, () => places.take('a'))
    assert.throws(() => places.take('a'), { code: 'streams_limited', message: /^This key has 200 streams/ })
    places.take('b')()
    leave!()
    leave!()
    places.take('a')
    assert.throws(() => places.take('a'), { code: 'streams_limited' })
  })

  it('are bounded for all keys together', () => {
    const places = new StreamPlaces()
    const leaves = many(MOST_STREAMS, (at) => places.take(`key ${at}`))
    assert.throws(() => places.take('one more'), { code: 'streams_limited', message: /^600 streams/ })
    leaves[7]!()
    places.take('one more')
  })
})
