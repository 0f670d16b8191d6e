import { BadDocument, brokenDocument } from '../document-fault.ts'
import type { Extracted } from '../extracted.ts'
import { optionalPackage } from '../optional-package.ts'

const NO_TEXT = /\S/

/** The text of a PDF, page by page. */
export async function readPdf(bytes: Uint8Array): Promise<Extracted> {
  const { extractText, getDocumentProxy } = await optionalPackage('unpdf', () => import('unpdf'))
  try {
    const pdf = await getDocumentProxy(bytes)
    const { text: pages } = await extractText(pdf, { mergePages: false })
    const text = pages.join('\n\n')
    if (pages.length === 0) throw new Error('it has no pages')
    return { text, data: { pages, ...(!NO_TEXT.test(text) && { has_text: false }) } }
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new BadDocument(
        'document_encrypted',
        'The PDF is protected by a password. Save it without one and send it again.'
      )
    throw brokenDocument('a PDF', error)
  }
}
