import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testBrowser } from '../support/browser.ts'
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
