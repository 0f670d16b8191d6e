import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ToldCall } from '../../flows/step/step-calls.ts'
import { ChatText } from './chat-text.ts'

function setUp() {
  const sent: string[] = []
  const chat = new ChatText(
    new Map([
      ['model', new Set(['out'])],
      ['second', new Set(['out-2'])]
    ]),
    {
      piece: (text) => void sent.push(text),
      restart: () => void sent.push('<restart>'),
      message: (text) => void sent.push(`[${text}]`),
      tool: ({ name, result }) => void sent.push(result === undefined ? `${name}…` : `${name}: ${result}`)
    }
  )
  const take = (at: number, text: string, node = 'model') =>
    chat.take({ flowId: 'f', runId: 'r', node, at, text })
  const print = (text: string, node = 'out', id = `${node}:${text}`) => chat.print({ id, node, text })
  const call = (tool: ToldCall) => chat.take({ flowId: 'f', runId: 'r', node: 'model', tool })
  return { chat, sent, take, print, call }
}

describe('what a chat is sent', () => {
  it('is the pieces, then the whole, once', () => {
    const { sent, take, print } = setUp()
    take(0, 'Good ')
    take(5, 'day')
    print('Good day')
    print('Good day')
    assert.deepEqual(sent, ['Good ', 'day', '[Good day]'])
  })

  it('has no gap: what got lost comes when there is the whole', () => {
    const { sent, take, print } = setUp()
    take(2, 'od')
    take(0, 'Go')
    take(4, ' d')
    print('Good day')
    take(0, 'Good day')
    assert.deepEqual(sent, ['Go', 'od day', '[Good day]'], 'and it does not begin again')
  })

  it('begins anew with a further attempt, or where another text was printed', () => {
    const { sent, take, print } = setUp()
    take(0, 'Bad')
    take(0, 'Go')
    print('Better')
    assert.deepEqual(sent, ['Bad', '<restart>', 'Go', '<restart>', 'Better', '[Better]'])
  })

  it('has each call of a tool once, also where a death made it again', () => {
    const { sent, take, print, call } = setUp()
    take(0, 'Let me look.')
    for (const _ of [1, 2]) call({ id: 'agent/1', name: 'find', arguments: {} })
    call({ id: 'agent/1', name: 'find', result: null })
    take(0, 'Nothing.')
    print('Nothing.')
    assert.deepEqual(sent, ['Let me look.', 'find…', 'find: null', '<restart>', 'Nothing.', '[Nothing.]'])
  })

  it('is one text at a time', () => {
    const { sent, take, print } = setUp()
    take(0, 'One')
    take(0, 'Two', 'second')
    print('Two.', 'out-2')
    print('Aside', 'other')
    print('One.')
    assert.deepEqual(sent, ['One', '.', '[One.]', 'Two.', '[Two.]', 'Aside', '[Aside]'])
  })

  it('ends without what was never printed', () => {
    const { chat, sent, take, print } = setUp()
    take(0, 'Half')
    print('Sorry', 'other')
    chat.end()
    chat.end()
    assert.deepEqual(sent, ['Half', '<restart>', 'Sorry', '[Sorry]'])
  })

  it('halves no letter, and is no text of nodes that nothing prints', () => {
    const { sent, take, print } = setUp()
    take(0, 'unheard', 'nobody')
    take(0, 'a\ud83c')
    take(2, '\udf3b')
    print('a\ud83c\udf3b')
    assert.deepEqual(sent, ['a', '\ud83c\udf3b', '[a\ud83c\udf3b]'])
  })
})
