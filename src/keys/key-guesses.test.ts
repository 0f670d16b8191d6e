import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KeyGuesses, MOST_GUESSES, MOST_REPEATS } from './key-guesses.ts'

const HERE = '10.0.0.1'

function make() {
  let now = 1_000_000
  const guesses = new KeyGuesses(() => now)
  return {
    guesses,
    pass: (ms: number) => {
      now += ms
    },
    guess: (address: string, many: number) => {
      for (let n = 0; n < many; n++) guesses.addWrong(address, `guess-${n}`)
    }
  }
}

describe('guessed keys', () => {
  it('keep an address out for the rest of the minute when there were too many, with any key', () => {
    const { guesses, pass, guess } = make()
    guess(HERE, MOST_GUESSES - 1)
    assert.deepEqual([guesses.secondsToWait(HERE, 'next'), guesses.isQuiet], [0, true])
    pass(20_500)
    guesses.addWrong(HERE, 'one more')
    assert.equal(guesses.isQuiet, false)
    assert.equal(guesses.secondsToWait(HERE, 'next'), 40)
    assert.equal(
      guesses.secondsToWait(HERE, 'the right one', 'key-1'),
      40,
      'or it would be found by its answer'
    )
    assert.equal(guesses.secondsToWait('10.0.0.2', 'next'), 0)
    pass(39_500)
    assert.deepEqual([guesses.secondsToWait(HERE, 'next'), guesses.isQuiet], [0, true])
    guesses.addWrong(HERE, 'next')
    assert.equal(guesses.secondsToWait(HERE, 'next'), 0, 'it begins to count anew')
  })

  it('leave those alone whose key was good at this address before', () => {
    const { guesses, guess } = make()
    guesses.addGood(HERE, 'key-1')
    guesses.addGood('10.0.0.2', 'key-2')
    guess(HERE, MOST_GUESSES)
    assert.equal(guesses.secondsToWait(HERE, 'first', 'key-1'), 0)
    assert.equal(guesses.secondsToWait(HERE, 'second', 'key-2'), 60)
  })

  it('are not guessed where it is always the same one, and then concern nobody else', () => {
    const { guesses } = make()
    for (let n = 0; n < MOST_REPEATS; n++) {
      assert.equal(guesses.secondsToWait(HERE, 'revoked'), 0)
      guesses.addWrong(HERE, 'revoked')
    }
    assert.equal(guesses.secondsToWait(HERE, 'revoked'), 60)
    assert.equal(guesses.secondsToWait(HERE, 'another'), 0)
    assert.equal(guesses.secondsToWait(HERE, 'the right one', 'key-1'), 0)
  })

  it('count together where one customer has many addresses of IPv6', () => {
    const { guesses } = make()
    for (let n = 0; n < MOST_GUESSES; n++) guesses.addWrong(`2001:db8::${n}`, `guess-${n}`)
    assert.equal(guesses.secondsToWait('2001:db8::ffff', 'next'), 60)
    assert.equal(guesses.secondsToWait('2001:db8:0:1::1', 'next'), 0)
  })

  it('keep nobody out for longer because the clock was set back', () => {
    const { guesses, pass, guess } = make()
    guess(HERE, MOST_GUESSES)
    pass(-3_600_000)
    assert.equal(guesses.secondsToWait(HERE, 'next'), 60)
  })

  it('of many addresses do not fill the memory', () => {
    const { guesses, guess } = make()
    guesses.addGood(HERE, 'key-1')
    guess(HERE, MOST_GUESSES)
    for (let n = 0; n < 10_000; n++) guesses.addWrong(`10.1.${n >> 8}.${n & 255}`, 'guess')
    assert.equal(guesses.secondsToWait(HERE, 'next'), 0)
    guess(HERE, MOST_GUESSES)
    assert.equal(guesses.secondsToWait(HERE, 'first', 'key-1'), 0)
    for (let n = 0; n < 10_000; n++) guesses.addGood(`10.1.${n >> 8}.${n & 255}`, 'key-1')
    assert.equal(guesses.secondsToWait(HERE, 'first', 'key-1'), 60)
  })
})
