import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CommandError } from './command-error.ts'
import { namesOf } from './plugin-names.ts'

describe('namesOf', () => {
  const rows: [name: string, folder: string, type: string, title: string, identifier: string][] = [
    ['greet', 'greet', 'greet', 'Greet', 'greet'],
    ['my-plugin', 'my-plugin', 'my-plugin', 'My Plugin', 'myPlugin'],
    ['@team/my-plugin', 'my-plugin', 'my-plugin', 'My Plugin', 'myPlugin'],
    ['crm.sync_v2', 'crm.sync_v2', 'crm-sync-v2', 'Crm Sync V2', 'crmSyncV2'],
    ['2fa', '2fa', '2fa', '2fa', 'plugin2fa'],
    ['delete', 'delete', 'delete', 'Delete', 'deletePlugin'],
    ['await', 'await', 'await', 'Await', 'awaitPlugin'],
    ['a-', 'a-', 'a', 'A', 'a']
  ]
  for (const [name, folder, type, title, identifier] of rows) {
    it(`knows what ${name} is called everywhere`, () => {
      assert.deepEqual(namesOf(name), { package: name, folder, type, title, identifier })
    })
  }

  const refused = ['', 'My-Plugin', 'my plugin', '../up', 'a/b', '@/a', '.hidden', '_a', 'node_modules', 'ä']
  for (const name of [...refused, 'a'.repeat(61)]) {
    it(`refuses ${JSON.stringify(name)}`, () => assert.throws(() => namesOf(name), CommandError))
  }
})
