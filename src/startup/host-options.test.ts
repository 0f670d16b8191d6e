import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkHostOptions } from './host-options.ts'

describe('the options of a host application', () => {
  it('are taken where they are what they should be, or left out', () => {
    const plugin = () => {}
    const options = {
      prefix: '/flows',
      logLevel: 'warn',
      apiKey: 'sixteen letters!',
      home: '.shop',
      plugins: [plugin, { default: plugin }, Promise.resolve({ default: plugin })],
      role: 'web',
      database: { url: 'postgres://db/x', connections: 10 },
      bodyLimit: 1,
      backlogLimit: 1,
      concurrency: 1,
      inFlight: 1,
      retention: { maxAgeMs: null, maxRuns: 5 },
      pageFolder: 'dist'
    }
    assert.deepEqual(checkHostOptions(options), [])
    assert.deepEqual(checkHostOptions({ apiKey: undefined, database: null }), [])
  })

  const REFUSED: [option: string, value: unknown, words: RegExp][] = [
    ['apiKey', 'short', /at least 16 characters/],
    ['apiKey', '', /at least 16 characters/],
    ['home', '', /path of a folder/],
    ['plugins', () => {}, /a list of functions/],
    ['plugins', ['./sales.js'], /what import\(\) gives/],
    ['role', 'boss', /"all", "web" or "worker"/],
    ['database', 'postgres://db/x', /\{ url, connections \}/],
    ['bodyLimit', '1mb', /bytes/],
    ['concurrency', 'many', /whole number/],
    ['concurrency', 0, /whole number/],
    ['retention', { maxAgeMs: 5 }, /null to keep all/]
  ]
  for (const [option, value, words] of REFUSED) {
    it(`refuse ${option}: ${JSON.stringify(value) ?? 'a function'}`, () => {
      assert.throws(() => checkHostOptions({ [option]: value }), { code: 'config_invalid', message: words })
      assert.throws(() => checkHostOptions({ [option]: value }), new RegExp(`"${option}"`))
    })
  }

  it('tell of names that mean nothing', () => {
    assert.deepEqual(checkHostOptions({ concurency: 5 }), [
      'Millrace has no option "concurency"; it changes nothing. Did you mean "concurrency"?'
    ])
  })
})
