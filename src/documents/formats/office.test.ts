import assert from 'node:assert/strict'
import { it } from 'node:test'
import { madeDocx, madeZip } from '../made-documents.test-kit.ts'
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

it('a hyphen at which Word breaks no line stays in its word', async () => {
  const { text } = await readOffice(
    'docx',
    madeDocx('<w:p><w:r><w:t>555</w:t><w:noBreakHyphen/><w:t>1234</w:t></w:r></w:p>')
  )
  assert.equal(text, '555-1234')
})

it('slides are read in the order in which they are shown', async () => {
  const part = (name: string, content: string) => ({ name: `ppt/${name}`, content })
  const linked = [1, 2, 3].map((at) => `<Relationship Id="r${at}" Target="slides/slide${at}.xml"/>`)
  const { text } = await readOffice(
    'pptx',
    madeZip([
      part('presentation.xml', '<p:presentation><p:sldId r:id="r3"/><p:sldId r:id="r1"/></p:presentation>'),
      part('_rels/presentation.xml.rels', `<Relationships>${linked.join('')}</Relationships>`),
      ...[1, 2, 3].map((at) => part(`slides/slide${at}.xml`, `<a:p><a:t>${at}</a:t></a:p>`))
    ])
  )
  assert.deepEqual(text.split(/\n+/), ['3', '1', '2'])
})
