import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isHeard, keyCaps, matchesPart, type Pressed } from './shortcut.ts'

const press = (key: string, modifiers: Partial<Pressed> = {}): Pressed => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...modifiers
})

describe('matchesPart', () => {
  it('takes Ctrl for mod, and on a Mac ⌘', () => {
    assert.ok(matchesPart(press('k', { ctrlKey: true }), 'mod+k', false))
    assert.ok(matchesPart(press('k', { metaKey: true }), 'mod+k', true))
    assert.ok(!matchesPart(press('k', { ctrlKey: true }), 'mod+k', true))
    assert.ok(!matchesPart(press('k'), 'mod+k', false))
  })

  it('does not take a key for itself while another key is down', () => {
    assert.ok(!matchesPart(press('f', { ctrlKey: true }), 'f', false))
    assert.ok(!matchesPart(press('f', { altKey: true }), 'f', false))
    assert.ok(!matchesPart(press('F', { shiftKey: true }), 'f', false))
  })

  it('takes a sign wherever the keyboard has it', () => {
    assert.ok(matchesPart(press('?', { shiftKey: true }), '?', false))
    assert.ok(matchesPart(press('?'), '?', false))
    assert.ok(matchesPart(press('/'), '/', false))
  })

  it('takes a letter with Alt by its key, which writes a sign of its own on a Mac', () => {
    const pressed = { ...press('å', { altKey: true }), code: 'KeyA' }
    assert.ok(matchesPart(pressed, 'alt+a', true))
    assert.ok(!matchesPart(pressed, 'alt+shift+a', true))
    assert.ok(!matchesPart({ ...pressed, code: 'KeyS' }, 'alt+a', true))
  })

  it('tells redo from undo', () => {
    const redo = press('Z', { ctrlKey: true, shiftKey: true })
    assert.ok(matchesPart(redo, 'mod+shift+z', false))
    assert.ok(!matchesPart(redo, 'mod+z', false))
  })
})

describe('isHeard', () => {
  it('takes bare keys for shortcuts on the page alone: elsewhere they are typed', () => {
    for (const keys of ['d', '/', 'delete', 'shift+p', 'g f']) {
      const places = (['page', 'part', 'field'] as const).map((place) => isHeard(keys, place))
      assert.deepEqual(places, [true, false, false], keys)
    }
  })

  it('takes combinations at a button, and in a field those that work there', () => {
    assert.ok(isHeard('mod+z', 'part'))
    assert.ok(isHeard('alt+a', 'part'))
    assert.ok(!isHeard('mod+a', 'field'))
    assert.ok(isHeard('mod+k', 'field', true))
  })
})

describe('keyCaps', () => {
  it('prints each press as the keyboard does', () => {
    assert.deepEqual(keyCaps('mod+shift+z', false), [['Ctrl', 'Shift', 'Z']])
    assert.deepEqual(keyCaps('mod+k', true), [['⌘', 'K']])
    assert.deepEqual(keyCaps('g f', false), [['G'], ['F']])
  })
})
