import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sessionFaults, sessionName, sessionTemplate } from './session-name.ts'

const RUN = { input: { chat: { id: 7 }, user: 'ann' }, session: 'default', variables: { shop: 'eu' } }

const named = (source: string, data?: Parameters<typeof sessionName>[1], run = RUN) =>
  sessionName(sessionTemplate(source), data, run)

describe('the session of a node', () => {
  it('is that of the run where its template is empty, or comes to nothing', () => {
    assert.equal(named(''), 'default')
    assert.equal(named('  '), 'default')
    assert.equal(named('{absent?}'), 'default')
  })

  it('reads what reaches the node, then the input of the run, and variables', () => {
    assert.equal(named('{chat.id}'), '7')
    assert.equal(named('{user}', { user: 'bob' }), 'bob')
    assert.equal(named('{user}/{chat.id}', { user: 'bob' }), 'bob/7')
    assert.equal(named('{$shop}-{user}', { text: 'Hi' }), 'eu-ann')
    assert.equal(named('fixed'), 'fixed')
  })

  it('fails in words that name the keys where one is missing', () => {
    assert.throws(() => named('{usr}'), { code: 'template_missing_key', message: /Field "session".*user/s })
    assert.throws(() => named('{usr}', { text: 'Hi' }), { code: 'template_missing_key' })
  })

  it('is no longer than a caller may name one', () => {
    const run = { ...RUN, input: { ...RUN.input, user: 'x'.repeat(201) } }
    assert.throws(() => named('{user}', undefined, run), { code: 'template_bad_value', message: /200/ })
  })

  it('says where its template is wrong', () => {
    assert.deepEqual(sessionFaults('{user}'), [])
    assert.partialDeepStrictEqual(sessionFaults('{user'), [{ field: 'session', code: 'template_syntax' }])
  })
})
