import assert from 'node:assert/strict'
import { it } from 'node:test'
import { madeDocx } from '../made-documents.test-kit.ts'
import { readOffice } from './office.ts'

it('a text box of Word is read once, though older programs are told it again', async () => {
  const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
  const box = `<w:txbxContent>${paragraph('Pay by Friday')}</w:txbxContent>`
  const drawn = `<mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>`
  const { text } = await readOffice(
    'docx',
    madeDocx(`${paragraph('Invoice')}<w:p>${drawn}</w:p>${paragraph('End')}`)
  )
  assert.deepEqual(text.split(/\n+/), ['Invoice', 'Pay by Friday', 'End'])
})
