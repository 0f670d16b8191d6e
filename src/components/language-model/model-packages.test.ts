import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import packageJson from '../../../package.json' with { type: 'json' }
import { assertInstalled, MODEL_PACKAGES, orInstalled } from './model-packages.ts'

const missing = () =>
  Promise.reject(Object.assign(new Error('Cannot find'), { code: 'ERR_MODULE_NOT_FOUND' }))

describe('the package of a kind of model', () => {
  it('is named with the version that Millrace is tested with', () => {
    const versions: Readonly<Record<string, string>> = packageJson.dependencies
    for (const { name, major } of Object.values(MODEL_PACKAGES))
      assert.equal(Number.parseInt(versions[name]!, 10), major, name)
  })

  it('is taken from the folder that Millrace is started in, where it is not beside Millrace', async () => {
    const loaded = await orInstalled<typeof import('@ai-sdk/openai')>('openai', missing(), process.cwd())
    assert.equal(typeof loaded.createOpenAI, 'function')
  })

  it('is asked for by name and command where it is nowhere', async () => {
    await assert.rejects(orInstalled('openai-compatible', missing(), tmpdir()), {
      code: 'model_package_missing',
      retryable: false,
      message: /"npm install @ai-sdk\/openai-compatible@3" in \S+, then start Millrace again\.$/
    })
  })

  it('is told to be there or not without being loaded', () => {
    const nowhere = (name: string) => createRequire(join(tmpdir(), 'x.js')).resolve(name)
    assertInstalled('anthropic', tmpdir())
    assertInstalled('anthropic', process.cwd(), nowhere)
    assert.throws(() => assertInstalled('anthropic', tmpdir(), nowhere), { code: 'model_package_missing' })
  })

  it('says itself what is wrong with it where it is there', async () => {
    await assert.rejects(
      orInstalled('google', Promise.reject(new SyntaxError('broken')), tmpdir()),
      SyntaxError
    )
  })
})
