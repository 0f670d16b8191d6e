import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FlowReport, ImportReport, Verdict } from '../api/imports.ts'
import { reportMarkdown } from './report-markdown.ts'
import { byVerdict, neededBy, nextSteps, verdictCounts, wireWords } from './report-words.ts'

const node = (id: string, verdict: Verdict, note = '') => ({
  node: id,
  title: id.toUpperCase(),
  was: `old.${id}`,
  became: 'parser',
  verdict,
  note
})

const flow = (more: Partial<FlowReport> = {}): FlowReport => ({
  id: null,
  slug: 'orders',
  name: 'Orders',
  nodes: [node('a', 'exact'), node('b', 'adapted', 'It differs.'), node('c', 'placeholder')],
  wires: { kept: 2, lost: 0 },
  pinned: 0,
  needs: [{ name: 'crm', kind: 'http', preset: null }],
  ...more
})

describe('the report on an import', () => {
  it('counts the verdicts of all flows, and each connection once', () => {
    assert.deepEqual(verdictCounts([flow(), flow({ slug: 'b' })]), { exact: 2, adapted: 2, placeholder: 2 })
    assert.deepEqual(neededBy([flow(), flow()]), [{ name: 'crm', kind: 'http', preset: null }])
  })

  it('puts first what is left to do', () => {
    assert.deepEqual(
      byVerdict(flow().nodes).map(({ node }) => node),
      ['c', 'b', 'a']
    )
  })

  it('says what became of the wires', () => {
    const said = (kept: number, lost: number) => wireWords({ kept, lost })
    assert.deepEqual(
      [said(0, 0), said(1, 0), said(7, 0), said(1, 2)],
      ['no wires', '1 wire, kept', '7 wires, all kept', '1 wire kept, 2 lost']
    )
  })

  it('says what to do next, in order', () => {
    assert.deepEqual(nextSteps([flow({ wires: { kept: 1, lost: 1 } })]), [
      'Draw the 1 wire again that was lost.',
      'Replace or remove 1 placeholder: a flow with one cannot be published.',
      'Read what differs in 1 node that was adapted.',
      'Test the flow, then publish it.'
    ])
    assert.match(nextSteps([flow({ pinned: 2 })]).at(-2)!, /^Test with the pinned data: 2 nodes give/)
    assert.deepEqual(nextSteps([flow({ nodes: [] }), flow({ nodes: [] })]), [
      'Test each flow, then publish it.'
    ])
  })

  it('is a document whose tables no words of others break', () => {
    const report: ImportReport = {
      format: 'n8n',
      left_out: ['The file has text behind it.'],
      flows: [flow({ name: 'A | <b>\n# B', nodes: [node('x', 'adapted', 'one | two\nthree')] })]
    }
    assert.equal(
      reportMarkdown('a.json', report),
      `# Import of a.json

1 flow of n8n: 0 exact, 1 adapted, 0 placeholders.

The file has text behind it.

## Missing connections

- crm (http)

## What to do next

1. Read what differs in 1 node that was adapted.
2. Test the flow, then publish it.

## A \\| \\<b\\> \\# B

Slug: orders. Wires: 2 wires, all kept.

| Node | Was | Is now | Component | Verdict | Note |
|---|---|---|---|---|---|
| X | old.x | x | parser | Adapted | one \\| two three |
`
    )
  })
})
