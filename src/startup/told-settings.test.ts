import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from './config.ts'
import { toldSettings } from './told-settings.ts'

const told = (env: Record<string, string>) =>
  new Map(
    toldSettings(readConfig(env, () => '')).map(({ name, value, isDefault }) => [name, { value, isDefault }])
  )

describe('the settings that are told', () => {
  it('are all as they come where nothing is set', () => {
    assert.ok([...told({}).values()].every(({ isDefault }) => isDefault))
    assert.deepEqual(told({}).get('MILLRACE_RETENTION_DAYS'), { value: 30, isDefault: true })
  })

  it('are those of the environment, by their variables', () => {
    const set = told({
      MILLRACE_RETENTION_DAYS: '0',
      MILLRACE_EGRESS_ALLOW: '10.0.0.0/8, db.internal',
      MILLRACE_BODY_LIMIT: '2mb'
    })
    assert.deepEqual(set.get('MILLRACE_RETENTION_DAYS'), { value: null, isDefault: false })
    assert.deepEqual(set.get('MILLRACE_EGRESS_ALLOW')?.value, ['10.0.0.0/8', 'db.internal'])
    assert.deepEqual(set.get('MILLRACE_BODY_LIMIT'), { value: 2 * 1024 ** 2, isDefault: false })
  })

  it('hold no password', () => {
    const set = told({ DATABASE_URL: 'postgres://ann:hidden@db/millrace' })
    assert.ok(!JSON.stringify([...set]).includes('hidden'))
    assert.deepEqual(set.get('DATABASE_URL'), { value: 'postgres', isDefault: false })
  })
})
