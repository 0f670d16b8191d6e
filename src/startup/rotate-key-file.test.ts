import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { openSecret, sealSecret } from '../connections/sealed-secret.ts'
import { beginKeyChange, endKeyChange } from './rotate-key-file.ts'
import { existingKeys, keyFileIn, secretKeys } from './secret-key-file.ts'

const place = { connection: 'c1', context: '/', name: 'token' }

function newHome(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), 'millrace-keys-'))
  t.after(() => rmSync(home, { recursive: true }))
  return { home, config: { home, database: null, secretKey: null } }
}

describe('the key of the folder', () => {
  it('is made when it is first asked for, for its owner alone, and stays', (t) => {
    const { home, config } = newHome(t)
    assert.equal(existingKeys(config), undefined)
    const [key] = secretKeys(config)()
    assert.equal(statSync(keyFileIn(home)).mode & 0o777, 0o600)
    assert.deepEqual(secretKeys(config)(), [key])
    assert.deepEqual(existingKeys(config), [key])
  })

  it('is changed under a running service, which goes on opening what it holds', (t) => {
    const { home, config } = newHome(t)
    const running = secretKeys(config)
    const sealed = sealSecret('a secret', place, running())
    const [before] = running()
    assert.equal(beginKeyChange(home), true)
    assert.notEqual(running()[0].id, before.id, 'new secrets are sealed with the new key')
    assert.equal(openSecret(sealed, place, running()), 'a secret')
    const retired = endKeyChange(home)
    assert.equal(openSecret(sealed, place, running()), 'a secret', 'it is in memory under the old key')
    assert.deepEqual(
      secretKeys(config)().map(({ id }) => id),
      [running()[0].id]
    )
    assert.equal(statSync(retired).mode & 0o777, 0o600)
  })

  it('is not lost by a stop at any moment, and the next try goes on with the same new key', (t) => {
    const { home, config } = newHome(t)
    const [first] = secretKeys(config)()
    const text = readFileSync(keyFileIn(home), 'utf8').trim()
    beginKeyChange(home)
    const begun = existingKeys(config)!
    assert.deepEqual([begun.length, begun[1]], [2, first])
    beginKeyChange(home)
    assert.deepEqual(existingKeys(config), begun)
    endKeyChange(home)
    // As after a stop between the two files: the second end finds all done.
    assert.deepEqual(
      [existingKeys(config), readFileSync(endKeyChange(home), 'utf8').trim()],
      [[begun[0]], text]
    )
  })

  it('goes on in memory where the file was taken away', (t) => {
    const { home, config } = newHome(t)
    const running = secretKeys(config)
    const keys = running()
    rmSync(keyFileIn(home))
    assert.deepEqual(running(), keys)
    assert.equal(beginKeyChange(home), false)
  })
})
