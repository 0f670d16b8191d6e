import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { flowOf, node } from '../graph/flow.test-kit.ts'
import { applyCommand } from './apply-command.ts'
import { describeCommand } from './command.ts'
import { routeErrors } from './route-errors.ts'

const plain = flowOf([node('call-1'), node('mail-1')], ['call-1.body -> mail-1.data'])

describe('routing errors to an output', () => {
  it('gives a node the output for them', () => {
    const command = routeErrors(plain, 'call-1', true)
    assert.equal(applyCommand(plain, command).nodes[0]!.on_error, 'output')
    assert.equal(describeCommand(command), 'Continue on errors')
  })

  it('is ended with the wires that led from there, and no others', () => {
    const routed = applyCommand(plain, routeErrors(plain, 'call-1', true))
    const wired = applyCommand(routed, { kind: 'connect', edge: { from: 'call-1.error', to: 'mail-1.text' } })
    assert.deepEqual(applyCommand(wired, routeErrors(wired, 'call-1', false)), plain)
  })
})
