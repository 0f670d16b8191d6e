import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { serviceOfFile } from '../../../../test/support/service.ts'
import { edge } from '../graph/flow.test-kit.ts'
import { openDraft } from '../graph/read-draft.ts'
import { openFlowToEdit, rename, setTemplate, TEMPLATE, templateOf } from './autosave.test-kit.ts'
import { QUIET_MS } from './save-machine.ts'
import { judgementOf, type Unsaved, unsavedOf } from './save-state.ts'

const shared = serviceOfFile()

describe('saving as you work', () => {
  it('makes one revision of a burst of edits, which comes back as it was sent, and nothing of it is live', async (t) => {
    const { live, draft, editor } = await openFlowToEdit(t, await shared(t))
    const one = await editor()
    for (const text of ['O', 'Or', 'Ord']) one.do(setTemplate(text))
    one.do({
      kind: 'insert',
      fragment: { nodes: [], edges: [], notes: [{ id: 'note-1', text: 'Why', position: { x: 1, y: 2 } }] }
    })
    await one.save()
    const saved = openDraft((await draft())!)
    assert.deepEqual([saved.standing.revision, saved.standing.baseVersion], [1, 1])
    assert.equal(JSON.stringify(saved.document), JSON.stringify(one.history.flow))
    assert.deepEqual([(await live()).version, templateOf(await live())], [1, TEMPLATE])
  })

  it('brings two editors together, and undo takes back only what is mine', async (t) => {
    const { draft, editor } = await openFlowToEdit(t, await shared(t))
    const [one, two] = [await editor(), await editor()]
    one.do(setTemplate('One'))
    two.do(rename('Two'))
    await one.save()
    await two.save()
    const both = openDraft((await draft())!)
    assert.deepEqual(
      [both.standing.revision, both.document.name, templateOf(both.document)],
      [2, 'Two', 'One']
    )
    assert.deepEqual(two.history.flow, both.document)
    two.undo()
    await two.save()
    const after = openDraft((await draft())!).document
    assert.deepEqual([after.name, templateOf(after)], ['Orders', 'One'])
    one.serverDraft.receive({ kind: 'draft saved', revision: 3 })
    await one.untilState(({ base }) => base.standing.revision === 3)
    assert.deepEqual(one.history.flow, after)
  })

  it('shows both where two edited one thing, and loses neither', async (t) => {
    const { draft, editor } = await openFlowToEdit(t, await shared(t))
    const [one, two] = [await editor(), await editor()]
    one.do(setTemplate('One'))
    two.do(setTemplate('Two'))
    await one.save()
    two.clock.advance(QUIET_MS)
    await two.until('conflict')
    const [conflict] = two.autosave.state.conflicts
    assert.deepEqual([conflict?.mine, conflict?.theirs], ['Two', 'One'])
    assert.equal((await draft())?.revision, 1, 'nothing is overwritten meanwhile')
    two.autosave.choose(conflict!.id, 'mine')
    await two.until('clean')
    assert.equal(templateOf(await draft()), 'Two')
  })

  it('keeps what cannot be published, and tells what is in its way', async (t) => {
    const { draft, editor } = await openFlowToEdit(t, await shared(t))
    const one = await editor()
    one.do(setTemplate('{broken'))
    await one.save()
    assert.equal(templateOf(await draft()), '{broken')
    assert.deepEqual(
      judgementOf(one.autosave.state).faults.map(({ node, field }) => [node, field]),
      [['parser-1', 'template']]
    )
    one.do(setTemplate('{broken} no more'))
    await one.save()
    assert.deepEqual(judgementOf(one.autosave.state).faults, [])
  })

  it('goes on when the network is back, and from what was kept when the tab was closed meanwhile', async (t) => {
    const { draft, editor } = await openFlowToEdit(t, await shared(t))
    const one = await editor()
    one.isOnline = false
    one.do(rename('Offline'))
    one.clock.advance(QUIET_MS)
    await one.until('offline')
    const left: Unsaved = JSON.parse(JSON.stringify(unsavedOf(one.autosave.state)))
    one.isOnline = true
    one.autosave.reconnect()
    await one.until('clean')
    assert.equal((await draft())?.name, 'Offline')

    // The tab had been closed before; meanwhile somebody else wired something, and what was sent had arrived.
    const other = await editor()
    other.do({ kind: 'disconnect', edge: edge('webhook-1.data -> parser-1.data') })
    await other.save()
    const again = await editor({ ...left, mine: { ...left.mine, description: 'More' } })
    await again.until('clean')
    const saved = (await draft())!
    assert.deepEqual([saved.name, saved.description, saved.edges.length], ['Offline', 'More', 1])
  })

  it('knows its own work in what was saved without an answer', async (t) => {
    const { draft, editor } = await openFlowToEdit(t, await shared(t))
    const one = await editor()
    one.losesAnswers = true
    one.do(setTemplate('One'))
    one.clock.advance(QUIET_MS)
    await one.until('offline')
    one.losesAnswers = false
    one.do(setTemplate('One and more'))
    // What tells of it, and the save that is refused for it, are both about the same revision.
    one.serverDraft.receive({ kind: 'draft saved', revision: 1 })
    one.autosave.reconnect()
    await one.until('clean')
    assert.equal(templateOf(await draft()), 'One and more')
  })

  it('reads nothing again for being told of its own save before the answer', async (t) => {
    const { editor } = await openFlowToEdit(t, await shared(t))
    const one = await editor()
    one.onAnswer = () => one.serverDraft.receive({ kind: 'draft saved', revision: 1 })
    one.do(setTemplate('One'))
    await one.save()
    assert.deepEqual(one.asked, ['PUT /draft'])
  })

  it('reads what somebody else has saved by the time that the answer is there', async (t) => {
    const { draft, editor } = await openFlowToEdit(t, await shared(t))
    const [one, two] = [await editor(), await editor()]
    one.onAnswer = async () => {
      one.onAnswer = undefined
      two.do(rename('Two'))
      await two.save()
      one.serverDraft.receive({ kind: 'draft saved', revision: 2 })
    }
    one.do(setTemplate('One'))
    one.clock.advance(QUIET_MS)
    await one.untilState(({ base }) => base.standing.revision === 2)
    assert.deepEqual([one.history.flow.name, templateOf(await draft())], ['Two', 'One'])
  })

  it('sends nothing after it was stopped', async (t) => {
    const { draft, editor } = await openFlowToEdit(t, await shared(t))
    const one = await editor()
    one.do(rename('Never'))
    one.autosave.stop()
    one.clock.advance(60_000)
    assert.deepEqual([one.clock.timers, await draft()], [0, null])
  })
})
