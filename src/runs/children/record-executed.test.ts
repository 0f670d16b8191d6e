import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recordExecuted } from './record-executed.ts'

describe('children that were executed where their parent is', () => {
  it('are written in one turn with what they have spent, so both share a commit', async () => {
    const asked: string[] = []
    const answer = Promise.withResolvers<boolean>()
    const deps = {
      store: {
        recordChildren: () => {
          asked.push('children')
          return answer.promise
        }
      },
      persist: (write: () => Promise<unknown>) => write(),
      spending: {
        joinCommit: () => void asked.push('spent'),
        save: async () => void asked.push('all that was spent')
      },
      onUsage: () => {}
    }
    const parent = { run: { seq: 1 } as never, node: 'agent-1' }
    const recorded = recordExecuted({ ...parent, isEnding: false }, [], deps as never)
    assert.deepEqual(asked.splice(0), ['children', 'spent'])
    answer.resolve(true)
    assert.equal(await recorded, true)
    await recordExecuted({ ...parent, isEnding: true }, [], deps as never)
    assert.deepEqual(asked, ['children', 'all that was spent'])
  })
})
