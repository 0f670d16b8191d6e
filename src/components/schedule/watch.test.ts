import assert from 'node:assert/strict'
import { it } from 'node:test'
import { resolveFields } from '../../flows/component/component.ts'
import { watch } from './watch.ts'

it('the key of a Watch tells items apart: one that reads nothing of them would let one run start', () => {
  const faultsOf = (key: string) => {
    const fields = resolveFields(watch, { url: 'https://blog.example/feed', key })
    return watch.check!(fields as never).map(({ field, message }) => `${field}: ${message}`)
  }
  const refused = ['id', ' id ', '{{id}}', '{$region}', '{$flow.slug}-1']
  for (const key of refused) assert.match(faultsOf(key).join(), /^key: It reads nothing of the item/, key)
  assert.match(faultsOf('order_id').join(), /such as \{order_id\}\.$/)
  const taken = ['', '{id}', '{number}-{updated_at?}', '{$data}', '{$data.id}', '{$now:yyyy-MM-dd}']
  for (const key of taken) assert.deepEqual(faultsOf(key), [], key)
})
