import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changesInWords, earlierInWords, keepingInWords, makingInWords } from './version-words.ts'

const told = { origin: null, author: null, changes: null }

describe('a version in words', () => {
  it('says what made it and who, as far as that was kept', () => {
    assert.equal(makingInWords({ ...told, origin: 'published', author: 'Ann' }), 'Published by Ann')
    assert.equal(makingInWords({ ...told, origin: 'undone', author: 'Ann' }), 'Publish undone by Ann')
    assert.equal(makingInWords({ ...told, origin: 'saved' }), 'Saved')
    assert.equal(makingInWords({ ...told, author: 'Ann' }), 'By Ann')
    assert.equal(makingInWords(told), undefined)
  })

  it('tells a draft that was kept from a version, and why it was kept', () => {
    assert.equal(earlierInWords({ version: 3 }), 'version 3')
    assert.equal(earlierInWords({ version: 3, keptDraft: 2 }), 'draft 2')
    const restored = 'Kept when a version was restored. Edited last by Ann'
    assert.equal(keepingInWords({ because: 'restored', author: 'Ann' }), restored)
    assert.equal(keepingInWords({ because: 'discarded', author: null }), 'Kept when it was discarded')
  })

  it('says what it changed, and claims nothing where that was not kept', () => {
    assert.equal(changesInWords({ ...told, changes: 'Parser: template' }), 'Parser: template')
    assert.equal(changesInWords({ ...told, origin: 'created' }), 'The first version')
    assert.equal(changesInWords({ ...told, origin: 'published' }), 'Nothing changed')
    assert.equal(changesInWords(told), undefined)
  })
})
