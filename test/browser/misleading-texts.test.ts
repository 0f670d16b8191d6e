import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { pageOfProcess } from '../support/shared-page.ts'

const openPage = pageOfProcess()

/** What turns text round, and some signs that nobody sees. */
const UNSEEN = '[\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2066\\u2067]'

/** Where the letters of texts begin that stand in the page one after the other, in one node of it. */
const LEFTS = `(...texts) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!texts.every((text) => node.data.includes(text))) continue
    return texts.map((text) => {
      const range = document.createRange()
      range.setStart(node, node.data.indexOf(text))
      range.setEnd(node, node.data.indexOf(text) + 1)
      return range.getBoundingClientRect().left
    })
  }
}`

describe('names and values of others', () => {
  it('turn nothing round beside them, on any page', async (t) => {
    const { service, page, goTo } = await openPage(t)
    const name = 'Refunds\u202e\u2067 of'
    const flow = await service.createFlow({
      name,
      nodes: [
        { id: 'webhook-1', type: 'webhook', title: 'In\u202e' },
        {
          id: 'ask',
          type: 'approve',
          fields: { question: 'Pay {customer}: {total} €?', choices: ['Yes\u202e', 'No'] }
        }
      ],
      edges: [{ from: 'webhook-1.data', to: 'ask.data' }]
    })
    await service.post('/api/v1/keys', { name: 'Key\u202e of', rights: ['read'] })
    await service.post(`/api/v1/flows/${flow.id}/pause`, {})
    await service.post(`/api/v1/flows/${flow.id}/resume`, {})
    const run = await service.start(flow.slug, '{"customer":"אב","total":98001,"k\\u202ey":"v\\u202ew"}')
    for (const [path, text] of [
      ['/flows', 'Refunds'],
      ['/approvals', '98001'],
      [`/runs/${run}`, 'v\\u202ew'],
      ['/runs', 'Refunds'],
      ['/keys', 'Key'],
      [`/flows/${flow.id}`, 'Yes']
    ] as const) {
      await goTo(path)
      await page.getByText(text).first().waitFor()
      const found = await page.evaluate(`document.body.innerText.match(/.{0,30}${UNSEEN}.{0,30}/u)?.[0]`)
      assert.equal(found, undefined, path)
      if (path !== '/approvals') continue
      const lefts = (await page.evaluate(`(${LEFTS})('Pay', 'אב', '98001', '8001', '€')`)) as number[]
      assert.deepEqual(
        lefts,
        lefts.toSorted((a, b) => a - b),
        'all stands where the author put it'
      )
    }
    await eventually(() => page.title(), 'Refunds of · Millrace')
  })
})
