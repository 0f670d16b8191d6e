import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { serviceOfFile } from '../../../../test/support/service.ts'
import { ORDERS } from '../graph/flow.test-kit.ts'
import { openDraft, openEdited } from '../graph/read-draft.ts'
import { openFlowToEdit, rename, setTemplate, TEMPLATE, templateOf } from './autosave.test-kit.ts'
import { openEdition } from './open-edition.ts'

const shared = serviceOfFile()

describe('a draft that is edited', () => {
  it('takes in what went live past it, and what it changed itself stays', async (t) => {
    const { draft, editor, saveLive } = await openFlowToEdit(t, await shared(t))
    const one = await editor()
    one.do(setTemplate('Mine'))
    await one.save()
    const nodes = ORDERS.nodes.map((node) =>
      node.id === 'parser-1'
        ? { ...node, title: 'Theirs', fields: { ...node.fields, template: 'Theirs' } }
        : node
    )
    await saveLive({ name: 'Theirs', nodes })
    one.serverDraft.receive({ kind: 'flow saved', version: 2 })
    await one.untilState(({ base }) => base.standing.baseVersion === 2)
    const saved = (await draft())!
    assert.deepEqual([saved.name, saved.nodes[1]?.title, templateOf(saved)], ['Theirs', 'Theirs', 'Mine'])
    assert.deepEqual([saved.behind, saved.base_version], [false, 2])
    assert.equal(JSON.stringify(one.history.flow), JSON.stringify(openDraft(saved).document))
  })

  it('is merged with what went live before there was one', async (t) => {
    const { draft, editor, saveLive } = await openFlowToEdit(t, await shared(t))
    const one = await editor()
    one.do(setTemplate('Mine'))
    await saveLive({ name: 'Theirs' })
    one.serverDraft.receive({ kind: 'flow saved', version: 2 })
    await one.save()
    const saved = (await draft())!
    assert.deepEqual([saved.name, templateOf(saved), saved.base_version], ['Theirs', 'Mine', 2])
  })

  it('begins anew when another has discarded it, with what was typed since', async (t) => {
    const { draft, editor, discard } = await openFlowToEdit(t, await shared(t))
    const one = await editor()
    one.do(rename('Discarded'))
    await one.save()
    one.do(setTemplate('Typed'))
    await discard()
    await one.save()
    const saved = (await draft())!
    assert.deepEqual([saved.name, templateOf(saved)], ['Orders', 'Typed'])
    assert.deepEqual(one.history.flow, openDraft(saved).document)
  })

  it('shows what was typed where another has discarded just that', async (t) => {
    const { editor, discard } = await openFlowToEdit(t, await shared(t))
    const one = await editor()
    one.do(setTemplate('Half'))
    await one.save()
    one.do(setTemplate('Half a template'))
    await discard()
    one.serverDraft.receive({ kind: 'draft gone' })
    await one.until('conflict')
    assert.deepEqual(
      one.autosave.state.conflicts.map(({ mine, theirs }) => [mine, theirs]),
      [['Half a template', TEMPLATE]]
    )
    assert.equal(templateOf(one.history.flow), 'Half a template')
  })

  it('goes on over the version that another has made of it', async (t) => {
    const { draft, live, editor, publish } = await openFlowToEdit(t, await shared(t))
    const one = await editor()
    one.do(rename('Published'))
    await one.save()
    one.do(setTemplate('Typed'))
    await publish()
    one.serverDraft.receive({ kind: 'draft gone' })
    one.serverDraft.receive({ kind: 'flow saved', version: 2 })
    await one.save()
    const saved = (await draft())!
    assert.deepEqual([saved.name, templateOf(saved), saved.base_version], ['Published', 'Typed', 2])
    assert.deepEqual([(await live()).name, templateOf(await live())], ['Published', TEMPLATE])
  })

  it('goes on from what was kept here before another made a version', async (t) => {
    const { draft, live, editor, saveLive } = await openFlowToEdit(t, await shared(t))
    const base = openEdition(openEdited(await live(), null), undefined)
    const left = { base, mine: { ...base.document, name: 'Kept' }, sent: [] }
    await saveLive({ description: 'Since' })
    const one = await editor(left)
    await one.until('clean')
    assert.deepEqual([(await draft())?.name, (await draft())?.description], ['Kept', 'Since'])
  })
})
