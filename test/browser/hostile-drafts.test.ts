import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ordersFlow } from '../support/documents.ts'
import { Editor } from '../support/editor.ts'
import { pageOfProcess } from '../support/shared-page.ts'

const openPage = pageOfProcess()

describe('a draft that a program left', () => {
  it('is drawn, with parts that are beyond any canvas brought back to it', async (t) => {
    const { service, page, goTo } = await openPage(t)
    const flow = await service.createFlow(ordersFlow())
    const [first, ...others] = ordersFlow().nodes
    const nodes = [{ ...first, position: { x: 1e308, y: -1e308 } }, ...others]
    const saved = await service.request('PUT', `/api/v1/flows/${flow.id}/draft`, {
      body: Buffer.from(JSON.stringify({ ...ordersFlow(), nodes, base_version: 1, revision: 0 })),
      headers: { 'content-type': 'application/json' }
    })
    assert.equal(saved.status, 200, saved.text)
    await goTo(`/flows/${flow.id}`)
    const editor = new Editor(page, service, flow)
    await editor.settled()
  })
})
