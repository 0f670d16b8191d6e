import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { schedulesOf, startWords } from './start-words.ts'

const flow = (...nodes: readonly { type: string; fields?: object; disabled?: boolean }[]) =>
  ({ nodes: nodes.map((node, n) => ({ id: `${node.type}-${n}`, fields: {}, ...node })) }) as Parameters<
    typeof startWords
  >[0]

describe('what starts a flow', () => {
  it('is told in a few words, without what is disabled or starts nothing', () => {
    const webhook = { type: 'webhook' }
    const schedule = { type: 'schedule', fields: { cron: '0 9 * * *', timezone: 'Europe/Berlin' } }
    assert.deepEqual(startWords(flow(webhook, { type: 'parser' })), ['Webhook'])
    assert.deepEqual(startWords(flow({ ...webhook, disabled: true })), [])
    const [words] = startWords(flow(schedule))
    assert.match(words!, /9.* Europe\/Berlin$/)
    assert.deepEqual(schedulesOf(flow(webhook, schedule, { type: 'schedule' })), [
      { cron: '0 9 * * *', timezone: 'Europe/Berlin' },
      { cron: '0 9 * * *', timezone: 'UTC' }
    ])
  })
})
