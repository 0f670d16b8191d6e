import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LiveEventName } from './live-event.ts'
import { LiveTexts } from './live-texts.ts'

const piece = (text: string, at: number, node = 'model-1') => ({ run_id: 'run-1', node, at, text })
const event = (name: LiveEventName, data: object = {}) => ({
  name,
  data: { flow_id: 'flow-1', run_id: 'run-1', ...data }
})

describe('text that is on its way', () => {
  it('grows by node, and starts over where it is told to', () => {
    const texts = new LiveTexts()
    texts.append([piece('Good', 0), piece(' morning', 4), piece('x', 0, 'other')])
    assert.deepEqual(
      [...texts.of('run-1')],
      [
        ['model-1', 'Good morning'],
        ['other', 'x']
      ]
    )
    texts.append([piece('Bye', 0)])
    assert.equal(texts.of('run-1').get('model-1'), 'Bye')
    assert.equal(texts.of('run-2').size, 0)
  })

  it('shows that its beginning was missed', () => {
    const texts = new LiveTexts()
    texts.append([piece('the end', 40)])
    assert.equal(texts.of('run-1').get('model-1'), '…the end')
  })

  it('of an attempt that failed is void, and so is that of a run that is over', () => {
    const texts = new LiveTexts()
    texts.append([piece('Half', 0), piece('x', 0, 'other')])
    texts.follow([event('step.waiting', { node: 'model-1' })])
    assert.deepEqual([...texts.of('run-1').keys()], ['other'])
    texts.follow([event('run.ended')])
    texts.append([piece('late', 4)])
    assert.equal(texts.of('run-1').size, 0)
    texts.follow([event('run.queued')])
    texts.append([piece('again', 0)])
    assert.equal(texts.of('run-1').get('model-1'), 'again')
  })

  it('is the same object until it changes', () => {
    const texts = new LiveTexts()
    let told = 0
    const leave = texts.watch(() => told++)
    texts.append([piece('a', 0)])
    assert.equal(texts.of('run-1'), texts.of('run-1'))
    leave()
    texts.append([piece('b', 1)])
    assert.equal(told, 1)
  })
})
