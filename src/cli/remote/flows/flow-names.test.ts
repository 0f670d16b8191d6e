import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CommandError } from '../../command-error.ts'
import type { Api } from '../api.ts'
import { ApiRefusal } from '../refusals.ts'
import { FlowNames } from './flow-names.ts'

it('asks again for a name that a service could not tell, and never for that of a flow that is gone', async () => {
  let asked = 0
  let away: CommandError | undefined = new CommandError('It does not answer.')
  const call = async () => {
    asked++
    if (away !== undefined) throw away
    return { slug: 'orders' }
  }
  const names = new FlowNames({ call } as unknown as Api)
  assert.equal(await names.of('a'), 'a')
  away = undefined
  assert.deepEqual([await names.of('a'), await names.of('a'), asked], ['orders', 'orders', 2])
  const service = { url: 'http://127.0.0.1', from: 'a test', hasKey: true }
  away = new ApiRefusal({ status: 404, headers: new Headers() }, '{}', service)
  assert.deepEqual([await names.of('b'), await names.of('b'), asked], ['b', 'b', 3])
})
