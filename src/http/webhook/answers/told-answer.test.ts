import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowAnswer } from '../../../runs/answers/flow-answer.ts'
import { ToldAnswer } from './told-answer.ts'

const HEAD = { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' } }
const WHOLE: FlowAnswer = { by: 'step', answer: { ...HEAD, body: 'Good morning' } }

function setUp({ isForWhole = false, takesBack = false } = {}) {
  const sent: string[] = []
  const told = new ToldAnswer(new Map([['A', HEAD]]), {
    isForWhole,
    begin: () => void sent.push('begin'),
    send: (text) => void sent.push(text),
    restart: () => {
      if (takesBack) sent.push('restart')
      return takesBack
    },
    end: (_whole, rest) => void sent.push(`end:${rest}`),
    breakOff: (answer) => void sent.push(answer === undefined ? 'stopped' : 'broken')
  })
  const take = (at: number, text: string, node = 'A') =>
    told.take({ flowId: 'f', runId: 'r', node, at, text })
  return { told, sent, take }
}

describe('an answer that is told', () => {
  it('is sent without a gap: what is missing, and all after it, comes when there is the whole', () => {
    const { told, sent, take } = setUp()
    take(0, 'Go')
    take(4, ' mo')
    take(7, 'rn')
    assert.equal(told.finish(WHOLE), true)
    assert.deepEqual(sent, ['begin', 'Go', 'end:od morning'])
  })

  it('does not begin in the middle', () => {
    const { told, sent, take } = setUp()
    take(2, 'od')
    take(0, 'of another node', 'B')
    assert.deepEqual([told.finish(WHOLE), sent], [false, []])
  })

  it('is as a whole in the form of who wants it so', () => {
    const { told, sent } = setUp({ isForWhole: true })
    assert.equal(told.finish(WHOLE), true)
    assert.deepEqual(sent, ['begin', 'end:Good morning'])
    assert.equal(setUp({ isForWhole: true }).told.finish({ by: 'end', status: 'failed' }), false)
  })

  it('is not whole where another one was first, or none came', () => {
    const other: FlowAnswer = { by: 'step', answer: { ...HEAD, body: 'Good evening' } }
    for (const answer of [
      other,
      { by: 'end', status: 'succeeded' } as const,
      { by: 'step', answer: { ...HEAD, status: 404, body: 'Good morning' } } as const
    ]) {
      const { told, sent, take } = setUp()
      take(0, 'Good m')
      assert.equal(told.finish(answer), true)
      assert.equal(sent.at(-1), 'broken')
    }
    const { told, sent, take } = setUp()
    take(0, 'Good m')
    told.finish(undefined)
    assert.equal(sent.at(-1), 'stopped')
  })

  it('that began anew is held against what was sent', () => {
    const { told, sent, take } = setUp()
    take(0, 'Good m')
    take(0, 'Go')
    take(2, 'od morn')
    told.finish(WHOLE)
    assert.deepEqual(sent, ['begin', 'Good m', 'orn', 'end:ing'])
    const again = setUp({ takesBack: true })
    again.take(0, 'Bad')
    again.take(0, 'Good')
    again.told.finish(WHOLE)
    assert.deepEqual(again.sent, ['begin', 'Bad', 'restart', 'Good', 'end: morning'])
  })
})
