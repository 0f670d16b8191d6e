import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reachError } from './reach-error.ts'
import { StepError } from './step-error.ts'

function coded(code: string): Error {
  return Object.assign(new Error('raw'), { code })
}

describe('a call that failed on its way', () => {
  const rows: [raw: string, code: string, retryable: boolean, message: RegExp][] = [
    ['ENOTFOUND', 'upstream_unreachable', true, /^shop\.example is not a name that can be looked up/],
    ['ECONNREFUSED', 'upstream_unreachable', true, /Check host and port/],
    ['UND_ERR_CONNECT_TIMEOUT', 'upstream_unreachable', true, /firewall/],
    ['UND_ERR_SOCKET', 'upstream_cut_off', true, /closed the connection/],
    ['CERT_HAS_EXPIRED', 'certificate_expired', false, /renew/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_invalid', false, /another host/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate_invalid', false, /NODE_EXTRA_CA_CERTS/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed', false, /http:\/\//],
    ['HPE_INVALID_CONSTANT', 'upstream_not_http', false, /https:\/\//],
    ['Z_DATA_ERROR', 'response_not_decodable', false, /Accept-Encoding/]
  ]
  for (const [raw, code, retryable, message] of rows) {
    it(`with ${raw} has the code ${code}`, () => {
      const error = reachError(coded(raw), 'shop.example')
      assert.deepEqual([error.code, error.retryable], [code, retryable])
      assert.match(error.message, message)
    })
  }

  it('is looked for among the causes, as fetch wraps them', () => {
    const error = reachError(new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }), 'x')
    assert.equal(error.code, 'upstream_unreachable')
  })

  it('is cut off where the network fails a connection that is open', () => {
    for (const syscall of ['read', 'write']) {
      const error = reachError(Object.assign(coded('ETIMEDOUT'), { syscall }), 'x')
      assert.equal(error.code, 'upstream_cut_off')
    }
    const early = reachError(Object.assign(coded('ETIMEDOUT'), { syscall: 'connect' }), 'x')
    assert.equal(early.code, 'upstream_unreachable')
  })

  it('stays what it is where that is known already', () => {
    const refused = new StepError('no', { code: 'egress_refused', retryable: false })
    assert.equal(reachError(refused, 'x'), refused)
    assert.equal(reachError(new TypeError('fetch failed', { cause: refused }), 'x'), refused)
  })

  it('is told as it is where nothing is known of it', () => {
    const error = reachError('odd', 'shop.example')
    assert.deepEqual([error.code, error.message], ['upstream_failed', 'The call to shop.example failed: odd'])
  })
})
