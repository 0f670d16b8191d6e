import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { anythingFlow } from './support/documents.ts'
import { serviceOfFile } from './support/service.ts'

const service = serviceOfFile()

interface Listed {
  readonly runs: { id: string; input: unknown[]; steps: { outputs: { data: unknown } }[] }[]
  readonly next_cursor: string | null
}

describe('whole runs with large payloads', () => {
  it('are fewer in an answer, which goes on with its cursor, and are shown as they came', async (t) => {
    const client = await service(t)
    const flow = await client.createFlow(anythingFlow())
    const sent: string[] = []
    for (let n = 1; n <= 6; n++) {
      const body = JSON.stringify([n, 'x'.repeat(900_000)])
      sent.unshift((await client.run(flow.slug, body)).id)
    }
    const pages: Listed[] = []
    for (let cursor = ''; ; ) {
      const answer = await client.get(`/api/v1/runs?flow_id=${flow.id}&steps=true${cursor}`)
      const page = answer.json<Listed>()
      pages.push(page)
      if (page.next_cursor === null) break
      cursor = `&cursor=${page.next_cursor}`
    }
    assert.deepEqual(
      pages.map(({ runs }) => runs.length),
      [5, 1]
    )
    const runs = pages.flatMap((page) => page.runs)
    assert.deepEqual(
      runs.map(({ id, input }) => [id, input[0]]),
      sent.map((id, index) => [id, 6 - index])
    )
    for (const { input, steps } of runs) assert.deepEqual(steps[0]!.outputs.data, input)
  })
})
