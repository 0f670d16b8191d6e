import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import type { Signal } from '../../store/shared-store.ts'
import { isText, type TextDelta } from '../live-text/text-news.ts'
import { SharedText } from './shared-text.ts'

const piece = (text: string, flowId = 'flow-1'): TextDelta => ({
  flowId,
  runId: 'run-1',
  node: 'A',
  at: 0,
  text
})

/** Two processes that hear each other. */
function setUp() {
  const clock = manualClock()
  const sent: Signal[] = []
  const process = (id: string, other: () => SharedText) =>
    new SharedText({
      clock,
      signals: {
        tell: (signal) => {
          sent.push(signal)
          other().take({ ...signal, from: id })
        },
        flush: async () => {}
      }
    })
  const worker: SharedText = process('worker', () => web)
  const web: SharedText = process('web', () => worker)
  const heard: string[] = []
  const listen = (flowId: string | null) =>
    web.subscribe(flowId, (deltas) => heard.push(...deltas.filter(isText).map(({ text }) => text)))
  const textsSent = () =>
    sent.flatMap(({ text }) => text ?? []).map((piece) => ('text' in piece ? piece.text : piece.tool.name))
  return { clock, worker, web, heard, listen, textsSent }
}

describe('the text of steps among processes', () => {
  it('reaches who listens in another process, of that flow or of all', () => {
    const { worker, heard, listen } = setUp()
    listen('flow-1')
    worker.publish([piece('a'), piece('elsewhere', 'flow-2')])
    assert.deepEqual(heard, ['a'])
    listen(null)
    worker.publish([piece('b', 'flow-2')])
    assert.deepEqual(heard, ['a', 'b'])
  })

  it('is sent nowhere while nobody listens there', () => {
    const { worker, listen, textsSent } = setUp()
    assert.equal(worker.hasListeners('flow-1'), false)
    worker.publish([piece('a')])
    listen('flow-2')
    worker.publish([piece('b')])
    assert.deepEqual(textsSent(), [])
    assert.equal(worker.hasListeners('flow-2'), true)
  })

  it('is sent on for as long as the other says that somebody listens', () => {
    const { clock, worker, web, listen } = setUp()
    const leave = listen('flow-1')
    for (let seconds = 0; seconds < 10; seconds++) {
      clock.advance(1_000)
      web.look()
      worker.look()
    }
    assert.equal(worker.hasListeners('flow-1'), true)
    leave()
    for (let seconds = 0; seconds < 10; seconds++) {
      clock.advance(1_000)
      web.look()
      worker.look()
    }
    assert.equal(worker.hasListeners('flow-1'), false)
  })

  it('is told of by one word where very many flows are listened to', () => {
    const { worker, listen } = setUp()
    for (let flow = 0; flow < 200; flow++) listen(`flow-${flow}`)
    assert.equal(worker.hasListeners('any other'), true)
  })
})
