import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { COMPONENT_TITLES } from './component-titles.ts'
import { findTemplates, TOPICS, type Topic } from './find-templates.ts'
import { GALLERY } from './gallery.ts'

const found = (search: string, topic?: Topic) =>
  findTemplates(GALLERY, { search, topic }, (type) => COMPONENT_TITLES[type] ?? type).map(({ id }) => id)

describe('the templates that are found', () => {
  it('are all of them until somebody looks for one', () => {
    assert.equal(found('  ').length, GALLERY.length)
  })

  it('have every word in their title or their summary, titles first', () => {
    assert.ok(found('telegram').includes('telegram-bot'))
    assert.equal(found('chat')[0], 'model-chat')
    assert.ok(found('chat').length < GALLERY.length / 4, found('chat').join(' '))
    assert.deepEqual(found('telegram nightly'), [])
  })

  it('have nodes of that name where none says so itself', () => {
    assert.ok(found('send webhook').length > 0)
    assert.ok(found('if-else').length > 0)
  })

  it('are of the topic that was chosen, and each is of one at least', () => {
    const topics = Object.keys(TOPICS) as Topic[]
    assert.ok(found('', 'form').includes('invoice-form'))
    assert.ok(!found('', 'form').includes('telegram-bot'))
    assert.deepEqual(found('telegram', 'form'), [])
    const all = new Set(topics.flatMap((topic) => found('', topic)))
    assert.deepEqual(
      GALLERY.map(({ id }) => id).filter((id) => !all.has(id)),
      []
    )
  })
})
