import assert from 'node:assert/strict'
import { it } from 'node:test'
import { carriedTurns, lastTurns } from './carried-turns.ts'

const SAID = [
  { sender: 'User', text: 'one' },
  { sender: 'Machine', text: '1' },
  { sender: 'Machine', text: 'I' },
  { sender: 'User', text: 'two' },
  { sender: 'Machine', text: '2' }
]

it('what was said before is what came with a turn of a chat, if anything came', () => {
  assert.deepEqual(carriedTurns('chat', { text: 'x', messages: [...SAID, 7, null, { text: 'x' }] }), SAID)
  assert.deepEqual(carriedTurns('chat', { text: 'x', messages: [] }), [])
  for (const input of ['x', null, { text: 'x' }, { messages: 'x' }])
    assert.equal(carriedTurns('chat', input), undefined)
  assert.equal(carriedTurns('webhook', { messages: SAID }), undefined)
})

it('as many turns as are asked for, whole, are the last ones', () => {
  const texts = (turns: number) => lastTurns(SAID, { turns }, 's').map(({ text }) => text)
  assert.deepEqual([texts(0), texts(1)], [[], ['two', '2']])
  assert.deepEqual([texts(2), texts(9)], [SAID.map(({ text }) => text), SAID.map(({ text }) => text)])
  assert.equal(lastTurns(SAID, { turns: 1 }, 's')[0]?.session, 's')
})

it('of those, whole turns that have so many tokens together', () => {
  const said = ['a', 'b', 'c'].flatMap((letter) => [
    { sender: 'User', text: letter.repeat(40) },
    { sender: 'Machine', text: letter.repeat(40) }
  ])
  const letters = (tokens: number) =>
    lastTurns(said, { turns: 9, tokens }, 's')
      .map(({ text }) => text[0])
      .join('')
  assert.deepEqual([letters(0), letters(84), letters(83)], ['aabbcc', 'aabbcc', 'bbcc'])
  assert.deepEqual([letters(28), letters(27)], ['cc', ''])
})
