import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../../../../src/startup/config.ts'
import { toldSettings } from '../../../../src/startup/told-settings.ts'
import { settingWords } from './setting-words.ts'

const words = (name: string, value: Parameters<typeof settingWords>[0]['value']) =>
  settingWords({ name, value }).text

describe('a setting in words', () => {
  it('has words of its own for everything that the service tells', () => {
    const told = toldSettings(readConfig({}, () => ''))
    assert.deepEqual(
      told.filter(({ name, value }) => settingWords({ name, value: value as null }).help === ''),
      []
    )
  })

  it('is read by people', () => {
    assert.equal(words('MILLRACE_RETENTION_DAYS', 30), '30 days')
    assert.equal(words('MILLRACE_RETENTION_DAYS', null), 'For ever')
    assert.equal(words('MILLRACE_BODY_LIMIT', 1024 ** 2), '1 MB')
    assert.equal(words('MILLRACE_EGRESS_ALLOW', []), 'Nothing else')
    assert.equal(words('MILLRACE_EGRESS_ALLOW', ['10.0.0.0/8', 'db']), '10.0.0.0/8, db')
    assert.equal(words('MILLRACE_TOMORROW', 7), '7')
  })
})
