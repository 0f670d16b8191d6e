import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aheadStep } from './typed-ahead.ts'

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) =>
  aheadStep({ key, ctrlKey: false, metaKey: false, altKey: false, ...held })

describe('what is typed before an editor is there', () => {
  it('is written, deleted and selected as in any field', () => {
    assert.deepEqual(press('d'), { kind: 'write', text: 'd' })
    assert.deepEqual(press('𝒳'), { kind: 'write', text: '𝒳' })
    assert.deepEqual(press('Enter'), { kind: 'write', text: '\n' })
    assert.deepEqual(press('Backspace'), { kind: 'delete' })
    assert.deepEqual(press('a', { ctrlKey: true }), { kind: 'select all' })
    assert.deepEqual(press('a', { metaKey: true }), { kind: 'select all' })
    assert.deepEqual(press('{', { ctrlKey: true, altKey: true }), { kind: 'write', text: '{' })
  })

  it('is nothing for keys that write nothing', () => {
    assert.equal(press('Shift'), undefined)
    assert.equal(press('ArrowLeft'), undefined)
    assert.equal(press('z', { ctrlKey: true }), undefined)
  })
})
