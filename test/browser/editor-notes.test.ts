import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertAccessible, SEEN_PAGE, testBrowser } from '../support/browser.ts'
import { comesTo } from '../support/comes-to.ts'
import { ordersFlow } from '../support/documents.ts'
import { sharedEditor } from '../support/shared-editor.ts'

const open = sharedEditor(testBrowser())

interface NoteBody {
  readonly id: string
  readonly text: string
  readonly colour?: string
  readonly size?: { readonly width: number; readonly height: number }
}

describe('notes', () => {
  it('are added, written in Markdown, coloured, sized and deleted', async (t) => {
    const editor = await open(t)
    const { page } = editor
    await page.keyboard.press('Shift+N')
    await editor.node('note-1').locator('textarea:focus').waitFor()
    await page.keyboard.insertText('# Orders\n\nfrom the *shop*')
    await page.keyboard.press('Escape')
    await editor.node('note-1').getByRole('heading', { name: 'Orders' }).waitFor()
    await editor.node('note-1').getByRole('button', { name: 'Colour blue' }).click()
    await editor.settled()
    const corner = await editor.middleOf(editor.node('note-1').locator('.react-flow__resize-control'))
    await editor.drag(corner, { x: corner.x + 80, y: corner.y + 40 })
    await editor.saved(1)
    const [note] = ((await editor.read()) as unknown as { notes: NoteBody[] }).notes
    assert.equal(note!.text, '# Orders\n\nfrom the *shop*')
    assert.equal(note!.colour, 'blue')
    assert.ok(note!.size!.width > 320 && note!.size!.height > 150, JSON.stringify(note!.size))
    await editor.node('note-1').focus()
    await page.keyboard.press('Delete')
    await editor.node('note-1').waitFor({ state: 'detached' })
    assert.equal('notes' in (await editor.saved(2)), false)
  })

  it('keep no flow from being opened, whatever their text, and show HTML as text', async (t) => {
    const columns = `${'|a'.repeat(2000)}\n${'|-'.repeat(2000)}\n${'|x\n'.repeat(100)}`
    const texts = [
      '>'.repeat(20_000),
      columns,
      '* '.repeat(9900),
      '[a](//away.example) [b](irc://x/y) [c](/d)',
      '<img src=x onerror=alert(1)> [link](javascript:alert(1))'
    ]
    const notes = texts.map((text, at) => ({ id: `note-${at}`, text, position: { x: 300 * at, y: -300 } }))
    const editor = await open(t, { document: ordersFlow({ notes }) })
    await editor.node('note-0').getByText('>>>>').waitFor()
    await editor.node('note-2').getByText('* * *').waitFor()
    await editor.node('note-3').getByText('a b c').waitFor()
    assert.equal(await editor.node('note-3').locator('a').count(), 0)
    const html = editor.node('note-4')
    await html.getByText('<img src=x onerror=alert(1)>').waitFor()
    await html.getByText('link').waitFor()
    assert.equal(await html.locator('img, a').count(), 0)
  })
})

describe('company', () => {
  it('is shown: who else is on the flow and where, and what they wrote about a node, as they write it', async (t) => {
    const editor = await open(t)
    const { page, service, flow } = editor
    const path = `/api/v1/flows/${flow.id}`
    await comesTo(
      page,
      async () => (await service.get(`${path}/presence`)).json<{ present: unknown[] }>().present.length,
      1
    )
    const here = { page: 'somebody-else', node: 'parser-1' }
    assert.equal((await service.request('PUT', `${path}/presence`, { body: here })).status, 200)
    await page.getByRole('button', { name: /is on Parser$/ }).waitFor()
    await service.post(`${path}/comments`, { text: 'Why not {name?}', node: 'parser-1' })
    await page.getByRole('button', { name: '1 open comment' }).click()
    const panel = page.getByRole('complementary', { name: 'Comments' })
    await panel.getByText('Why not {name?}').waitFor()
    await editor.choose('parser-1', 'Comment')
    await panel.getByLabel('Comment on Parser').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('It is always there.')
    await panel.getByRole('button', { name: 'Comment', exact: true }).click()
    await panel.getByRole('listitem').filter({ hasText: 'It is always there.' }).waitFor()
    await assertAccessible(page, SEEN_PAGE)
    await panel.getByRole('button', { name: 'Done' }).first().click()
    await panel.getByText('1 done').waitFor()
    await service.request('DELETE', `${path}/presence/somebody-else`)
    await page.getByRole('button', { name: /is on Parser$/ }).waitFor({ state: 'detached' })
  })
})
