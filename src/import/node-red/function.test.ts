import assert from 'node:assert/strict'
import { it } from 'node:test'
import { toEnd } from '../read-to-end.test-kit.ts'
import { redTab } from './node-red.test-kit.ts'

function reported(func: string) {
  const [flow] = toEnd(
    redTab('Calls', [
      { id: 'in', type: 'inject', to: [['call']] },
      { id: 'call', name: 'call', type: 'function', func, outputs: 1 }
    ])
  ).flows
  const { verdict, note } = flow!.nodes.find(({ title }) => title === 'call')!
  return { verdict, note }
}

it('tells what a Function uses of Node-RED that is not here, and nothing of what is', () => {
  const called = reported("return await node.linkcall('sum', msg, { timeout: 1000 })")
  assert.deepEqual(called, {
    verdict: 'adapted',
    note: 'It uses node.linkcall, which is not there: change that by hand.'
  })
  const compared = reported('if (RED.util.compareObjects(msg.a, msg.b)) return RED.util.cloneMessage(msg)')
  assert.match(compared.note, /^It uses RED\.util\.compareObjects, which/)
  for (const plain of [
    'node.status({ text: node.name }); node.warn(RED.util.generateId()); return msg',
    'for (const node of msg.payload) msg.sum += node.size\nreturn msg'
  ])
    assert.deepEqual(reported(plain), { verdict: 'exact', note: '' })
})
