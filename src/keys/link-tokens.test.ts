import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LinkTokens } from './link-tokens.ts'

const RUN = { runId: '019a-7', node: 'wait-for-call-1' }

describe('tokens of links', () => {
  const tokens = new LinkTokens('secret')

  it('lead where they were made for, in every process with the same secret', () => {
    const token = new LinkTokens('secret').write('resume', RUN)
    assert.deepEqual(tokens.read('resume', token), RUN)
  })

  it('are worth nothing for another node, run, purpose or service', () => {
    const token = tokens.write('resume', RUN)
    const [runId, node, signature] = token.split('.')
    assert.equal(tokens.read('approve', token), undefined)
    assert.equal(tokens.read('resume', `${runId}.other.${signature}`), undefined)
    assert.equal(tokens.read('resume', `other.${node}.${signature}`), undefined)
    assert.equal(new LinkTokens('other').read('resume', token), undefined)
    for (const text of ['', 'a.b', `${token}x`, `${runId}.${node}.`])
      assert.equal(tokens.read('resume', text), undefined)
  })
})
