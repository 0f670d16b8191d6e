import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { NODE_ID } from '../../../../src/flows/document/flow-document.ts'
import { freeId, freshIds } from './free-ids.ts'

describe('freeId', () => {
  it('takes the smallest number that is free', () => {
    assert.equal(freeId('parser', new Set()), 'parser-1')
    assert.equal(freeId('parser', new Set(['parser-1', 'parser-3'])), 'parser-2')
    assert.equal(freeId('chat-output', new Set(['chat-output-1'])), 'chat-output-2')
  })

  it('is an id that can be saved, whatever the type is', () => {
    for (const type of ['a b/ü', '', 'x'.repeat(200)])
      assert.match(freeId(type, new Set()), new RegExp(NODE_ID))
  })
})

describe('freshIds', () => {
  const fresh = (ids: string[], taken: string[]) => Object.fromEntries(freshIds(ids, new Set(taken)))

  it('leaves what is free as it is', () => {
    assert.deepEqual(fresh(['parser-7', 'mine'], ['parser-1']), { 'parser-7': 'parser-7', mine: 'mine' })
  })

  it('numbers what is taken, without a number upon a number', () => {
    assert.deepEqual(fresh(['parser-1'], ['parser-1', 'parser-2']), { 'parser-1': 'parser-3' })
    assert.deepEqual(fresh(['mine'], ['mine']), { mine: 'mine-1' })
  })

  it('never takes an id that another one keeps', () => {
    assert.deepEqual(fresh(['parser-1', 'parser-2'], ['parser-1']), {
      'parser-1': 'parser-3',
      'parser-2': 'parser-2'
    })
  })

  it('never gives an id that is taken, nor one twice', () => {
    const id = fc.constantFrom('a', 'a-1', 'a-2', 'a-1-1', 'b-1', '-1', '0')
    fc.assert(
      fc.property(fc.uniqueArray(id), fc.uniqueArray(id), (ids, taken) => {
        const found = [...freshIds(ids, new Set(taken)).values()]
        assert.equal(found.length, ids.length)
        assert.equal(new Set([...found, ...taken]).size, found.length + taken.length)
      })
    )
  })
})
