import assert from 'node:assert/strict'
import { it } from 'node:test'
import { redTab } from './node-red/node-red.test-kit.ts'
import { toEnd } from './read-to-end.test-kit.ts'

it('takes so many wires of one file and no more, of Node-RED with what its links stand for', () => {
  const ends = Array.from({ length: 260 }, (_, at) => `in-${at}`)
  const outs = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `out-${at}`, type: 'link out', links: ends }))
  assert.throws(() => toEnd(redTab('Links', outs(200))), /52000 wires, and 50000 are the most/)
  assert.throws(
    () =>
      toEnd(redTab('Wires', [{ id: 'in', type: 'http in', to: Array.from({ length: 200 }, () => ends) }])),
    /52000 wires/
  )
  assert.equal(toEnd(redTab('Fewer', outs(2))).flows.length, 1)
})
