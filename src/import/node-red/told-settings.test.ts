import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toEnd } from '../read-to-end.test-kit.ts'
import { redTab } from './node-red.test-kit.ts'

function told(type: string, settings: object) {
  const [flow] = toEnd(
    redTab('Settings', [
      { id: 'in', type: 'inject', to: [['node']] },
      { id: 'node', type, ...settings, name: 'node' }
    ])
  ).flows
  const { verdict, note } = flow!.nodes.find(({ title }) => title === 'node')!
  return `${verdict} ${note}`.trim()
}

it('says that a node of Node-RED is exact only where all its settings were looked at', () => {
  const request = { method: 'GET', url: 'https://a.example', ret: 'txt', persist: true, headers: [] }
  assert.equal(told('http request', request), 'exact')
  const secured = { ...request, tls: 'own', senderr: true, insecureHTTPParser: false }
  assert.equal(told('http request', secured), 'adapted Of its settings nothing was made of "tls", "senderr".')
  const fixed = { pauseType: 'delay', timeout: '5', timeoutUnits: 'seconds', rate: '1', randomFirst: '1' }
  assert.equal(told('delay', fixed), 'exact')
  const copied = { rules: [{ t: 'set', p: 'a', pt: 'msg', to: 'b', tot: 'msg', dc: true }] }
  assert.match(told('change', copied), /nothing was made of "rules\[\]\.dc"\.$/)
  assert.match(told('switch', { rules: [{ t: 'nnull' }], repair: true }), /"repair"\.$/)
})
