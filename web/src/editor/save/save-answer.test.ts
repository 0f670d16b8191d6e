import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { failedSave, type ProblemAnswer } from './save-answer.ts'

describe('what an answer means', () => {
  const rows: [answer: ProblemAnswer, kind: string][] = [
    [{ status: 409, code: 'draft_conflict', detail: '' }, 'stale'],
    [{ status: 409, code: 'flow_conflict', detail: '' }, 'stale'],
    [{ status: 409, code: 'slug_taken', detail: '' }, 'refused'],
    [{ status: 422, code: 'flow_invalid', detail: '' }, 'refused'],
    [{ status: 403, code: 'forbidden', detail: '' }, 'refused'],
    [{ status: 404, code: 'flow_not_found', detail: '' }, 'refused'],
    [{ status: 0, code: 'unreachable', detail: '' }, 'failed'],
    [{ status: 0, code: 'page_failed', detail: '' }, 'refused'],
    [{ status: 401, code: 'unauthorized', detail: '' }, 'failed'],
    [{ status: 429, code: 'rate_limited', detail: '' }, 'failed'],
    [{ status: 503, code: 'stopping', detail: '' }, 'failed']
  ]
  for (const [answer, kind] of rows) {
    it(`is "${kind}" for ${answer.status} ${answer.code}`, () => assert.equal(failedSave(answer).kind, kind))
  }
})
