import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { optionalPackage } from './optional-package.ts'

const missing = () =>
  Promise.reject(Object.assign(new Error('Cannot find'), { code: 'ERR_MODULE_NOT_FOUND' }))

describe('a package that reads documents', () => {
  it('is taken from the folder that Millrace is started in, where it is not beside Millrace', async () => {
    const loaded = await optionalPackage<typeof import('hucre/xlsx')>('hucre', missing, 'hucre/xlsx')
    assert.equal(typeof loaded.readXlsx, 'function')
  })

  it('is asked for by name and command where it is nowhere', async () => {
    for (const name of ['unpdf', 'hucre'] as const) {
      const major = Number.parseInt(packageJson.dependencies[name], 10)
      await assert.rejects(optionalPackage(name, missing, name, tmpdir()), {
        code: 'document_package_missing',
        message: new RegExp(`"npm install ${name}@${major}" in \\S+, then try again\\.$`)
      })
    }
  })

  it('says itself what is wrong with it where it is there', async () => {
    const broken = () => Promise.reject(new Error('It is broken'))
    await assert.rejects(optionalPackage('unpdf', broken), /It is broken/)
  })
})
