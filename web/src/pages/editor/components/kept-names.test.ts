import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KeptNames } from './kept-names.ts'

function storage(kept: Record<string, string> = {}) {
  return {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => {
      kept[key] = value
    }
  }
}

describe('names that are kept', () => {
  it('stand with the newest first, each once, and are few', () => {
    const recent = new KeptNames(storage(), 'recent')
    for (const name of ['parser', 'sql', 'parser', 'prompt', 'switch']) recent.putFirst(name, 3)
    assert.deepEqual(recent.read(), ['switch', 'prompt', 'parser'])
  })

  it('are toggled', () => {
    const folded = new KeptNames(storage(), 'folded')
    folded.toggle('Logic')
    folded.toggle('Data')
    folded.toggle('Logic')
    assert.deepEqual(folded.read(), ['Data'])
  })

  it('are none where something else is stored, or nothing can be', () => {
    for (const text of ['{}', '[1]', 'no JSON']) {
      assert.deepEqual(new KeptNames(storage({ recent: text }), 'recent').read(), [])
    }
    const refuse = () => {
      throw new Error('full')
    }
    const full = new KeptNames({ getItem: refuse, setItem: refuse }, 'recent')
    full.putFirst('sql', 3)
    assert.deepEqual(full.read(), [])
  })
})
