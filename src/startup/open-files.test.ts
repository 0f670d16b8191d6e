import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mostInFlight, openFilesLimit } from './open-files.ts'

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max processes             95890                95890                processes
Max open files            1024                 4096                 files
`

describe('the limit of open files', () => {
  it('is what the system says', () => {
    assert.equal(
      openFilesLimit(() => LIMITS),
      4096
    )
  })

  it('is none where the system says nothing, or that there is none', () => {
    assert.equal(
      openFilesLimit(() => LIMITS.replaceAll('4096', 'unlimited')),
      Number.POSITIVE_INFINITY
    )
    const absent = () => {
      throw new Error('ENOENT')
    }
    assert.equal(openFilesLimit(absent), Number.POSITIVE_INFINITY)
  })

  it('leaves a quarter of them to those who call us', () => {
    assert.deepEqual([mostInFlight(10_000, 4096), mostInFlight(1_000, 4096)], [3072, 1_000])
  })
})
