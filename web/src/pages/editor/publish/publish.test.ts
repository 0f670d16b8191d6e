import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { DraftReview } from '../../../api/publishing.ts'
import { readinessOf } from './readiness.ts'
import {
  meanwhileInWords,
  openRunsInWords,
  otherChangesInWords,
  whatIsReplacedInWords
} from './review-words.ts'

const review: DraftReview = {
  revision: 4,
  base_version: 2,
  live_version: 2,
  behind: false,
  summary: 'Parser: template',
  nodes: [],
  wires: { added: [], removed: [] },
  members: [],
  notes: 0,
  moved: 0,
  callers: [],
  errors: [],
  warnings: [],
  open_runs: 0
}
const saved = { revision: 4, liveVersion: 2 }
const fault = { code: 'x', path: '/nodes/0', message: 'No.' }

describe('whether a draft can be published', () => {
  const facts = { status: 'clean', saved, review } as const
  const kindOf = (changes: Partial<Parameters<typeof readinessOf>[0]>) =>
    readinessOf({ ...facts, ...changes }).kind

  it('is so where what is shown is what is saved', () => {
    assert.deepEqual(readinessOf(facts), { kind: 'ready', reviewed: saved })
  })

  it('is not so while another revision, or another live version, is shown', () => {
    assert.equal(kindOf({ saved: { ...saved, revision: 5 } }), 'reviewing')
    assert.equal(kindOf({ saved: { ...saved, liveVersion: 3 } }), 'reviewing')
    assert.equal(kindOf({ review: undefined }), 'reviewing')
    assert.equal(kindOf({ status: 'dirty' }), 'reviewing')
    assert.equal(kindOf({ status: 'saving' }), 'reviewing')
  })

  it('is not so where it is not saved, has faults, or changes nothing', () => {
    assert.equal(kindOf({ status: 'offline' }), 'not saved')
    assert.equal(kindOf({ status: 'conflict' }), 'not saved')
    assert.equal(kindOf({ review: { ...review, errors: [fault] } }), 'faulty')
    assert.equal(kindOf({ review: { ...review, summary: null } }), 'nothing to publish')
    assert.equal(kindOf({ saved: { revision: 0, liveVersion: 2 }, review: undefined }), 'nothing to publish')
  })
})

describe('a publish in words', () => {
  it('says what happens to runs that are still going', () => {
    assert.equal(openRunsInWords(0), undefined)
    assert.match(openRunsInWords(1)!, /^One run is still going/)
    assert.match(openRunsInWords(3)!, /^3 runs are still going/)
    assert.match(openRunsInWords(100)!, /^100 or more runs/)
  })

  it('says what else is different', () => {
    const changes = { ...review, members: ['slug', 'name'], notes: 1, moved: 3 }
    assert.deepEqual(otherChangesInWords(changes), [
      'Address of the flow',
      'Name of the flow',
      'One note',
      '3 parts were moved'
    ])
    assert.deepEqual(otherChangesInWords(review), [])
  })

  it('takes the place of nothing in a flow that was made blank', () => {
    const document = { nodes: [{ id: 'webhook-1', type: 'webhook', position: { x: 0, y: 0 }, fields: {} }] }
    assert.match(whatIsReplacedInWords({ version: 1, document: { nodes: [] } }), /^Nothing is live yet\./)
    assert.match(whatIsReplacedInWords({ version: 2, document }), /takes the place of version 2/)
  })

  it('says what happened while it was looked at', () => {
    assert.equal(meanwhileInWords(saved, saved), undefined)
    assert.match(meanwhileInWords(saved, { revision: 6, liveVersion: 3 })!, /^Version 3 went live meanwhile/)
    assert.match(meanwhileInWords(saved, { revision: 5, liveVersion: 2 })!, /^The draft has changed/)
  })
})
