import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { remedyFor } from './remedy.ts'

const run = { flow_version: 3, error: null, trigger: 'webhook' }

describe('the remedy of a failed run', () => {
  it('is to mend and replay, where trying again cannot help', () => {
    assert.match(remedyFor(run, { isPure: true, liveVersion: 3 }), /Fix the node.*publish, then replay/)
  })

  it('is to retry, where what was outside may have failed', () => {
    assert.match(remedyFor(run, { isPure: false, liveVersion: 3 }), /retry/)
  })

  it('says which version each way would use, where the flow was saved since', () => {
    assert.match(remedyFor(run, { isPure: true, liveVersion: 4 }), /version 3; version 4 is live/)
  })

  it('is that of its run, where it is an item of a For each', () => {
    const item = { ...run, trigger: 'for-each' }
    assert.match(remedyFor(item, { isPure: true, liveVersion: 3 }), /with the run that it belongs to/)
  })

  it('promises nothing for a flow that is gone', () => {
    assert.match(remedyFor(run, { isPure: undefined, liveVersion: undefined }), /deleted/)
  })
})
