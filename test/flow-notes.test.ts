import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ORDER, ordersFlow } from './support/documents.ts'
import { startService } from './support/service.ts'

describe('notes and how nodes are drawn', () => {
  it('are saved, read and kept with the versions, and a run goes on as if they were not there', async (t) => {
    const service = await startService(t)
    const plain = { ...ordersFlow(), slug: 'annotated' }
    const [first, ...others] = plain.nodes
    const drawn = {
      ...plain,
      nodes: [{ ...first, collapsed: true, shown_fields: ['curl'] }, ...others],
      notes: [
        {
          id: 'note-1',
          text: 'Why?',
          position: { x: 1, y: 2 },
          size: { width: 200, height: 80 },
          colour: 'blue'
        }
      ]
    }
    const flow = (await service.post('/api/v1/flows', drawn)).json<Record<string, unknown>>()
    const { id, version, created_at, updated_at, paused, aliases, ...document } = flow
    assert.deepEqual(document, drawn)
    const kept = (await service.get(`/api/v1/flows/${id}/versions/1`)).json<{ document: unknown }>()
    assert.equal(JSON.stringify(kept.document), JSON.stringify(drawn), 'the order of members is kept too')
    assert.equal((await service.run('annotated', JSON.stringify(ORDER))).status, 'succeeded')
  })
})
