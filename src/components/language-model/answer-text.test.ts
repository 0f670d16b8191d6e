import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AnswerText } from './answer-text.ts'

function setUp() {
  const told: string[] = []
  return { told, answer: new AnswerText((text) => told.push(text)) }
}

describe('the text of an answer', () => {
  it('is told once, whoever brings it first', () => {
    const { told, answer } = setUp()
    answer.begin()
    answer.ahead('Good ')
    answer.ahead('morning')
    answer.read('Good')
    answer.read(' morning, Ann')
    answer.read('.')
    answer.ahead(' Bye')
    answer.read(' Bye.')
    assert.deepEqual(told, ['Good ', 'morning', ', Ann', '.', ' Bye', '.'])
  })

  it('is counted anew for the next answer', () => {
    const { told, answer } = setUp()
    answer.begin()
    answer.ahead('a whole answer that broke off')
    answer.begin()
    answer.read('again')
    assert.deepEqual(told.slice(1), ['again'])
  })
})
