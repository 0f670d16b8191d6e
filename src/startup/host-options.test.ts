import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkHostOptions, HOST_OPTIONS } from './host-options.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

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
      pageFolder: 'dist',
      publicUrl: 'https://shop.example',
      secretKey: null,
      egressAllow: ['10.0.0.0/8'],
      outputLimits: { step: 1, run: 1 },
      fileLimit: 1,
      files: { url: 's3://mill', accessKeyId: 'a', secretAccessKey: 'b', sessionToken: null },
      flowsFolder: 'flows',
      onFirstStart: () => {}
    }
    assert.doesNotThrow(() => checkHostOptions(options))
    assert.doesNotThrow(() => checkHostOptions({ apiKey: undefined, database: null, publicUrl: null }))
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
    ['fileLimit', '1mb', /bytes/],
    ['files', 's3://mill', /\{ url, accessKeyId/],
    ['files', { url: 'mill', accessKeyId: 'a', secretAccessKey: 'b', sessionToken: null }, /s3:\/\/bucket/],
    ['concurrency', 'many', /whole number/],
    ['concurrency', 0, /whole number/],
    ['retention', { maxAgeMs: 5 }, /null to keep all/],
    ['publicUrl', 'shop.example', /https:\/\/shop\.example/],
    ['publicUrl', '', /https:\/\/shop\.example/],
    ['egressAllow', ['10.0.0.0/99'], /hosts, addresses and networks/],
    ['secretKey', 'short', /32 bytes in base64/],
    ['onFirstStart', 'print', /a function/]
  ]
  for (const [option, value, words] of REFUSED) {
    it(`refuse ${option}: ${JSON.stringify(value) ?? 'a function'}`, () => {
      assert.throws(() => checkHostOptions({ [option]: value }), { code: 'config_invalid', message: words })
      assert.throws(() => checkHostOptions({ [option]: value }), new RegExp(`"${option}"`))
    })
  }

  it('refuse names that mean nothing, and say which one is near', () => {
    const refused = {
      code: 'config_invalid',
      message: /^Millrace has no option "concurency"\..*"concurrency"/
    }
    assert.throws(() => checkHostOptions({ concurency: 5 }), refused)
    const far = { message: /no option "colour"\. It has apiKey, .*, role, secretKey\.$/ }
    assert.throws(() => checkHostOptions({ colour: 'red' }), far)
    for (const name of ['host', 'port', 'trustProxy', 'allowedHosts', 'logLevel_']) {
      assert.throws(() => checkHostOptions({ [name]: 1 }), { code: 'config_invalid' }, name)
    }
  })

  it('are all in the guide', () => {
    const guide = readFileSync(join(ROOT, 'docs/extending.md'), 'utf8')
    const table = /\| Option \| Default \| Meaning \|\n((?:\|.*\n)+)/.exec(guide)![1]!
    const told = table
      .trim()
      .split('\n')
      .flatMap((row) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name))
    assert.deepEqual(told.toSorted(), [...HOST_OPTIONS, 'prefix'].toSorted())
  })
})
