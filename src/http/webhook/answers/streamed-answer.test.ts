import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowAnswer } from '../../../runs/answers/flow-answer.ts'
import { StreamedAnswer } from './streamed-answer.ts'

const HEAD = { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' } }
const WHOLE: FlowAnswer = { by: 'step', answer: { ...HEAD, body: 'Good morning' } }

function setUp({ isForWhole = false, takesBack = false } = {}) {
  const sent: string[] = []
  const streamed = new StreamedAnswer(new Map([['A', HEAD]]), {
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
    streamed.take({ flowId: 'f', runId: 'r', node, at, text })
  return { streamed, sent, take }
}

describe('an answer that is streamed', () => {
  it('is sent without a gap: what is missing, and all after it, comes when there is the whole', () => {
    const { streamed, sent, take } = setUp()
    take(0, 'Go')
    take(4, ' mo')
    take(7, 'rn')
    assert.equal(streamed.finish(WHOLE), true)
    assert.deepEqual(sent, ['begin', 'Go', 'end:od morning'])
  })

  it('does not begin in the middle', () => {
    const { streamed, sent, take } = setUp()
    take(2, 'od')
    take(0, 'of another node', 'B')
    assert.deepEqual([streamed.finish(WHOLE), sent], [false, []])
  })

  it('is as a whole in the form of who wants it so', () => {
    const { streamed, sent } = setUp({ isForWhole: true })
    assert.equal(streamed.finish(WHOLE), true)
    assert.deepEqual(sent, ['begin', 'end:Good morning'])
    assert.equal(setUp({ isForWhole: true }).streamed.finish({ by: 'end', status: 'failed' }), false)
  })

  it('is not whole where another one was first, or none came', () => {
    const other: FlowAnswer = { by: 'step', answer: { ...HEAD, body: 'Good evening' } }
    for (const answer of [
      other,
      { by: 'end', status: 'succeeded' } as const,
      { by: 'step', answer: { ...HEAD, status: 404, body: 'Good morning' } } as const
    ]) {
      const { streamed, sent, take } = setUp()
      take(0, 'Good m')
      assert.equal(streamed.finish(answer), true)
      assert.equal(sent.at(-1), 'broken')
    }
    const { streamed, sent, take } = setUp()
    take(0, 'Good m')
    streamed.finish(undefined)
    assert.equal(sent.at(-1), 'stopped')
  })

  it('that began anew is held against what was sent', () => {
    const { streamed, sent, take } = setUp()
    take(0, 'Good m')
    take(0, 'Go')
    take(2, 'od morn')
    streamed.finish(WHOLE)
    assert.deepEqual(sent, ['begin', 'Good m', 'orn', 'end:ing'])
    const again = setUp({ takesBack: true })
    again.take(0, 'Bad')
    again.take(0, 'Good')
    again.streamed.finish(WHOLE)
    assert.deepEqual(again.sent, ['begin', 'Bad', 'restart', 'Good', 'end: morning'])
  })
})
