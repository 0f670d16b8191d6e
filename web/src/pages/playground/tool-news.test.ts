import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { LiveEvent } from '../../api/live-event.ts'
import { withToolEvents } from './tool-news.ts'

const told = (data: object, flow_id = 'f'): LiveEvent => ({
  name: 'step.tool',
  data: { flow_id, run_id: 'r', node: 'agent-1', name: 'find', ...data }
})

it('calls are shown from their beginning to their end, in their order', () => {
  const begun = withToolEvents(
    new Map(),
    [
      told({ id: 'agent-1/1', arguments: { order: 7 } }),
      told({ id: 'agent-1/2', arguments: {} }),
      told({ id: 'x', arguments: {} }, 'another')
    ],
    'f'
  )
  const after = withToolEvents(
    begun,
    [told({ id: 'agent-1/2', result: null, error: { code: 'x' } }), told({ id: 'agent-1/1', result: null })],
    'f'
  )
  assert.deepEqual(
    after.get('r')!.map(({ id, arguments: given, status }) => [id, given, status]),
    [
      ['agent-1/1', { order: 7 }, 'succeeded'],
      ['agent-1/2', {}, 'failed']
    ]
  )
  assert.equal(withToolEvents(after, [], 'f'), after)
})
