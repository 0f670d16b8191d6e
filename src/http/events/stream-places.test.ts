import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MOST_OF_KEY, MOST_STREAMS, StreamPlaces } from './stream-places.ts'

const many = (count: number, take: (at: number) => () => void) =>
  Array.from({ length: count }, (_, at) => take(at))

const stays = () => assert.fail('it is lost')

describe('places of event streams', () => {
  it('are bounded for each key, and free again when a stream ends, once', () => {
    const places = new StreamPlaces()
    const [leave] = many(MOST_OF_KEY, () => places.take('a', stays))
    assert.throws(() => places.take('a', stays), {
      code: 'streams_limited',
      message: /^This key has 200 streams/
    })
    places.take('b', stays)()
    leave!()
    leave!()
    places.take('a', stays)
    assert.throws(() => places.take('a', stays), { code: 'streams_limited' })
  })

  it('are bounded for all keys together', () => {
    const places = new StreamPlaces()
    const leaves = many(MOST_STREAMS, (at) => places.take(`key ${at}`, stays))
    assert.throws(() => places.take('one more', stays), { code: 'streams_limited', message: /^600 streams/ })
    leaves[7]!()
    places.take('one more', stays)
  })
  it('are lost by the key that has most, the youngest first, to one that has fewer', () => {
    const places = new StreamPlaces()
    const lost: string[] = []
    const open = (key: string, at: number) =>
      places.take(key, ({ code }) => void lost.push(`${key}${at} ${code}`))
    const leaves = ['a', 'b', 'c'].flatMap((key) => many(MOST_STREAMS / 3, (at) => open(key, at)))
    open('d', 0)
    open('d', 1)
    assert.deepEqual(lost, ['a199 streams_limited', 'b199 streams_limited'])
    // What is lost is not given back once more.
    leaves[199]!()
    assert.throws(() => open('a', 200), { code: 'streams_limited', message: /^600 streams/ })
    open('e', 0)
    assert.deepEqual(lost.slice(2), ['c199 streams_limited'])
    many(147, (at) => open('d', at + 2))
    assert.throws(() => open('d', 149), { code: 'streams_limited' }, 'the others have 150 each')
  })
})
