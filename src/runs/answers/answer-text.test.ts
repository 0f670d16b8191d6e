import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TextDelta } from '../live-text/text-news.ts'
import { isText } from '../live-text/text-news.ts'
import { TextPublisher } from '../live-text/text-publisher.ts'
import { AnswerText } from './answer-text.ts'

const delta = (runId: string, text: string): TextDelta => ({ flowId: 'F', runId, node: 'A', at: 0, text })

it('a flow is listened to once for all that wait, each hears its own run, and nobody when they have gone', () => {
  const news = new TextPublisher()
  const text = new AnswerText(news)
  const told: string[] = []
  const hear = (id: string, name: string) =>
    text.listen({ id, flowId: 'F' }, (piece) =>
      told.push(`${name}:${isText(piece) ? piece.text : piece.tool.name}`)
    )
  const expected = text.expect('F')
  assert.deepEqual(news.listenedTo(), ['F'])
  const leave = [hear('r1', 'a'), hear('r1', 'b'), hear('r2', 'c')]
  expected()
  assert.deepEqual(news.listenedTo(), ['F'])
  news.publish([delta('r1', 'one'), delta('r2', 'two'), delta('r3', 'three')])
  assert.deepEqual(told, ['a:one', 'b:one', 'c:two'])
  leave[0]!()
  news.publish([delta('r1', 'more')])
  assert.equal(told.at(-1), 'b:more')
  for (const end of leave) end()
  assert.equal(news.hasListeners('F'), false)
})
