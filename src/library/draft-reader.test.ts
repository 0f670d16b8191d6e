import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtInCatalogue } from '../contexts/catalogue.test-kit.ts'
import { atOnce } from '../flows/in-turns.ts'
import type { StoredDraft } from '../store/drafts.ts'
import { DraftReader } from './draft-reader.ts'
import type { LiveFlow } from './live-flow.ts'

const flow = { id: 'f' } as LiveFlow

function stored(document: object, flowId = 'f'): StoredDraft {
  const text = JSON.stringify(document)
  const facts = { revision: 1, baseVersion: 1, author: null, createdAt: 0, updatedAt: 0 }
  return { ...facts, flowId, document: text }
}

/** Counts how often something was read or judged. */
function reader() {
  const counted = { works: 0, revision: 0 }
  const made = new DraftReader({
    catalogue: builtInCatalogue(),
    revision: () => counted.revision,
    inTurns: (work) => {
      counted.works++
      return atOnce(work)
    }
  })
  return { counted, made }
}

const DOCUMENT = {
  name: 'A',
  slug: 'a',
  context: '/',
  nodes: [{ id: 's', type: 'schedule', fields: {} }],
  edges: []
}

describe('a draft that is read again', () => {
  it('is neither read nor judged again while it is the same', async () => {
    const { counted, made } = reader()
    const first = await made.read(flow, stored(DOCUMENT))
    const found = await made.verdict(first.document)
    assert.deepEqual(found.faults, [])
    assert.equal(counted.works, 2)
    const again = await made.read(flow, { ...stored(DOCUMENT), revision: 2 })
    assert.equal(again.revision, 2)
    assert.equal(await made.verdict(again.document), found)
    assert.equal(counted.works, 2)
  })

  it('is judged again when it, or what components there are, has changed', async () => {
    const { counted, made } = reader()
    const { document } = await made.read(flow, stored(DOCUMENT))
    await made.verdict(document)
    counted.revision++
    await made.verdict(document)
    assert.equal(counted.works, 3)
    const nodes = [{ id: 's', type: 'schedule', fields: { cron: '0 0 30 2 *' } }]
    const other = await made.read(flow, stored({ ...DOCUMENT, nodes }))
    const { faults } = await made.verdict(other.document)
    assert.deepEqual(
      faults.map(({ code }) => code),
      ['cron_never']
    )
  })

  it('is held as far as there is room', async () => {
    const { counted, made } = reader()
    const long = stored({ ...DOCUMENT, description: 'x'.repeat(4_000_000) }, 'g')
    for (const draft of [stored(DOCUMENT), long, long, stored(DOCUMENT)]) await made.read(flow, draft)
    assert.equal(counted.works, 3)
  })
})
