import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import { SecretSpellings } from '../../connections/redaction/secret-spellings.ts'
import { StreamRedactor } from '../../connections/redaction/stream-redactor.ts'
import type { StepCall } from '../../engine/effects.ts'
import { LazyAbort } from '../../engine/lazy-abort.ts'
import { plan } from '../../engine/plan.test-kit.ts'
import { isText, type TextDelta } from './text-news.ts'
import { TextPublisher } from './text-publisher.ts'
import { TextStreams } from './text-streams.ts'

function setUp({ secrets = [] as string[] } = {}) {
  const clock = manualClock()
  const news = new TextPublisher()
  const streams = new TextStreams({ news, clock })
  const told: TextDelta[][] = []
  const listen = (flowId: string | null = 'flow-1') =>
    news.subscribe(flowId, (deltas) => told.push(deltas.filter(isText)))
  const open = (node = 'A', runId = 'run-1') => {
    const [planned] = plan(`${node}!`).nodes
    const call: StepCall = { node: planned!, inputs: {}, attempt: 1, messages: [], abort: new LazyAbort() }
    const redactor = new StreamRedactor(() => SecretSpellings.of(secrets))
    return { call, stream: streams.open(call, { id: runId, flowId: 'flow-1' }, redactor) }
  }
  const texts = () => told.map((deltas) => deltas.map(({ text }) => text).join('|'))
  return { clock, news, told, texts, listen, open }
}

describe('the text of steps', () => {
  it('is told at once when it begins, and then gathered, with the place of each piece', () => {
    const { clock, told, listen, open } = setUp()
    listen()
    const { stream } = open()
    for (const token of ['Good', ' morning', ', ', 'Ann']) stream.emit(token, false)
    const place = { flowId: 'flow-1', runId: 'run-1', node: 'A' }
    assert.deepEqual(told, [[{ ...place, at: 0, text: 'Good' }]])
    clock.advance(50)
    assert.deepEqual(told.slice(1), [[{ ...place, at: 4, text: ' morning, Ann' }]])
  })

  it('of many steps goes out together', () => {
    const { clock, texts, listen, open } = setUp()
    listen()
    const streams = [open('A').stream, open('B').stream]
    for (const stream of streams) stream.emit('1', false)
    for (const stream of streams) stream.emit('2', false)
    clock.advance(50)
    assert.deepEqual(texts(), ['1', '1', '2|2'])
  })

  it('goes out whole before the end of its step is told', () => {
    const { clock, texts, listen, open } = setUp({ secrets: ['secret'] })
    listen()
    const { stream } = open()
    stream.emit('all of ', false)
    stream.emit('it sec', false)
    stream.end()
    assert.deepEqual(texts(), ['all of ', 'it sec'])
    stream.emit('late', false)
    clock.advance(500)
    assert.equal(texts().length, 2)
    assert.equal(clock.timers, 0, 'nothing beats while nobody puts out text')
  })

  it('begins anew with the next attempt, or where the component says so', () => {
    const { clock, told, listen, open } = setUp()
    listen()
    const first = open().stream
    first.emit('Half', false)
    first.emit(' a text', false)
    first.drop()
    clock.advance(500)
    const second = open().stream
    second.emit('The', false)
    second.emit(' wrong', false)
    second.emit('Whole', true)
    assert.deepEqual(
      told.flat().map(({ at, text }) => [at, text]),
      [
        [0, 'Half'],
        [0, 'The'],
        [0, 'Whole']
      ]
    )
  })

  it('is dropped once its step was cancelled or has run out of time', () => {
    const { clock, texts, listen, open } = setUp()
    listen()
    const { stream, call } = open()
    stream.emit('a', false)
    stream.emit('b', false)
    call.abort.abort(new Error('cancelled'))
    stream.emit('c', false)
    clock.advance(500)
    stream.end()
    assert.deepEqual(texts(), ['a'])
  })

  it('holds no secret, also one that comes in pieces', () => {
    const { clock, texts, listen, open } = setUp({ secrets: ['sk-12345'] })
    listen()
    const { stream } = open()
    for (const piece of ['The key is s', 'k-', '123', '45', '.']) {
      stream.emit(piece, false)
      clock.advance(50)
    }
    assert.equal(texts().join(''), 'The key is •••.')
  })

  it('is told to who comes later from where it then is, and to nobody else', () => {
    const { clock, told, listen, open } = setUp()
    const { stream } = open()
    stream.emit('not heard', false)
    clock.advance(50)
    const leave = listen(null)
    stream.emit(', heard', false)
    clock.advance(50)
    assert.deepEqual(
      told.flat().map(({ at, text }) => [at, text]),
      [[9, ', heard']]
    )
    leave()
    stream.emit(' no more', false)
    clock.advance(50)
    assert.equal(told.length, 1)
  })
})
