import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OneAtATime } from './one-at-a-time.ts'

/** Work that goes on until it is cancelled. */
function untilCancelled(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('cancelled')))
  })
}

describe('work that is done one at a time', () => {
  it('is cancelled by a newer one, which begins when it has ended', async () => {
    const works = new OneAtATime()
    const said: string[] = []
    const first = works.run(async (signal) => {
      said.push('first')
      await untilCancelled(signal).finally(() => said.push('first ended'))
    })
    await new Promise(setImmediate)
    const second = works.run(async () => said.push('second'))
    assert.deepEqual(await first, undefined)
    assert.deepEqual(await second, { result: 3 })
    assert.deepEqual(said, ['first', 'first ended', 'second'])
  })

  it('is not begun where a newer one came before its turn', async () => {
    const works = new OneAtATime()
    const said: string[] = []
    const all = ['one', 'two', 'three'].map((name) => works.run(async () => said.push(name)))
    assert.deepEqual(await Promise.all(all), [undefined, undefined, { result: 1 }])
    assert.deepEqual(said, ['three'])
  })

  it('tells its failure, and what follows is done', async () => {
    const works = new OneAtATime()
    await assert.rejects(
      works.run(() => Promise.reject(new Error('no'))),
      /no/
    )
    assert.deepEqual(await works.run(async () => 7), { result: 7 })
  })
})
