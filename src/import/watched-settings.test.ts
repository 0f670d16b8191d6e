import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unwatched, watchedSettings } from './watched-settings.ts'

const settings = {
  url: 'a',
  off: false,
  options: { timeout: 5, proxy: 'p', empty: '' },
  rules: [{ t: 'eq', case: true }, { t: 'neq' }],
  body: { a: { b: 1 } },
  table: { __rl: true, value: 't', mode: 'list' },
  never: { x: 1, y: '' }
}

describe('settings that are watched', () => {
  it('name what nobody has looked at, however deep it lies', () => {
    const { settings: given, unread } = watchedSettings(settings)
    const { url, options, rules, body, table } = given as unknown as typeof settings
    assert.equal(url, 'a')
    assert.equal(options.timeout, 5)
    assert.equal('redirect' in options, false)
    assert.deepEqual(
      rules.map(({ t }) => t),
      ['eq', 'neq']
    )
    assert.equal(table.value, 't')
    assert.deepEqual(unwatched({ sent: [body] }), { sent: [settings.body] })
    assert.equal(unwatched({ sent: body }).sent, settings.body)
    assert.deepEqual(unread(), ['options.proxy', 'rules[].case', 'never.x'])
  })

  it('have been looked at where all of them were listed', () => {
    const { settings: given, unread } = watchedSettings(settings)
    JSON.stringify(given)
    assert.deepEqual(unread(), [])
  })

  it('have not been looked at where something was asked that is not there', () => {
    const { settings: given, unread } = watchedSettings({ options: { proxy: 'p' } })
    assert.equal((given.options as { timeout?: number }).timeout, undefined)
    assert.deepEqual(unread(), ['options.proxy'])
    const { settings: asked, unread: left } = watchedSettings({ options: { proxy: 'p' } })
    assert.equal(Object.hasOwn(asked.options as object, 'timeout'), false)
    assert.deepEqual(left(), ['options.proxy'])
  })

  it('may say themselves what counts as made', () => {
    const { unread } = watchedSettings(settings, (value, path) => path === 'off' && value === false)
    assert.deepEqual(unread(), ['off'])
  })
})
