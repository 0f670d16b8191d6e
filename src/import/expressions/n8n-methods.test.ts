import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withEmptiness } from './n8n-methods.ts'
import { tokensOf } from './tokens.ts'

const written = (source: string) => withEmptiness(source, tokensOf(source))

describe('isEmpty of n8n', () => {
  it('is asked of the whole value that it stands behind', () => {
    assert.equal(
      written('!a.b[0].isEmpty() && (c ?? d).isNotEmpty()'),
      '!$isEmpty(a.b[0]) && !$isEmpty((c ?? d))'
    )
    assert.equal(written('$("X").item.json.isEmpty().c.isEmpty()'), '$isEmpty($isEmpty($("X").item.json).c)')
  })

  it('looks through a chain of them once', () => {
    let looked = 0
    const tokens = tokensOf(`$json${'.a.isEmpty()'.repeat(700)}`)
    const counted = new Proxy(tokens, {
      get: (list, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) looked++
        return Reflect.get(list, name)
      }
    })
    withEmptiness('', counted)
    assert.ok(looked < 20 * tokens.length, `${looked} of ${tokens.length}`)
  })
})
