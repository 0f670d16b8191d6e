import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OwnAddress } from './own-address.ts'

const bound = (address: string) => ({ address: () => ({ address, port: 7860, family: 'IPv4' }) })

describe('the address of the service', () => {
  it('is what an operator says, else where it listens', () => {
    const said = new OwnAddress('https://flows.example.com')
    said.serves({ server: bound('127.0.0.1'), prefix: '' })
    assert.equal(said.base, 'https://flows.example.com')
    const own = (address: string, prefix = '') => {
      const made = new OwnAddress(null)
      made.serves({ server: bound(address), prefix })
      return made.base
    }
    assert.equal(own('127.0.0.1'), 'http://127.0.0.1:7860')
    assert.equal(own('0.0.0.0'), 'http://127.0.0.1:7860')
    assert.equal(own('::1', '/flows'), 'http://[::1]:7860/flows')
  })

  it('is not known to a worker that nobody told', () => {
    assert.equal(new OwnAddress(null).base, undefined)
    assert.equal(new OwnAddress('https://flows.example.com').base, 'https://flows.example.com')
  })
})
