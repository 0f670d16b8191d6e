import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { faultsWhileWriting, isWriting, templateFaults } from './template-faults.ts'

const ORDER = { customer: 'Ann', total: 12 }
const told = (source: string) => templateFaults(source, ORDER).map(({ severity, text }) => [severity, text])

describe('the faults of a template', () => {
  it('are errors where the draft cannot be published, and warnings where it depends on data', () => {
    assert.deepEqual(told('{custmer} {total'), [
      ['error', '{total'],
      ['warning', 'custmer']
    ])
    assert.deepEqual(told('{customer} {gone?}'), [])
  })

  it('are none of data where no payload has come yet', () => {
    assert.deepEqual(templateFaults('{custmer}', undefined), [])
  })
})

describe('the faults of a template that is being written', () => {
  it('wait for the blur, or for a pause after which no completion is open', () => {
    const still = { hasFocus: true, isCompleting: false, isTyping: false }
    assert.equal(isWriting(still), false)
    assert.equal(isWriting({ ...still, isTyping: true }), true)
    assert.equal(isWriting({ ...still, isCompleting: true }), true, 'however long the list is looked at')
    assert.equal(isWriting({ hasFocus: false, isCompleting: true, isTyping: true }), false)
  })

  it('are the earlier ones, wherever they are by now, until they are fixed', () => {
    const before = templateFaults('{custmer} {x}', ORDER)
    const after = (source: string) =>
      faultsWhileWriting(before, templateFaults(source, ORDER)).map(({ from, text }) => [from, text])
    assert.deepEqual(after('Dear {custmer} {x} {tot'), [
      [6, 'custmer'],
      [16, 'x']
    ])
    assert.deepEqual(after('{customer} {x} {tot}'), [[12, 'x']])
  })
})
