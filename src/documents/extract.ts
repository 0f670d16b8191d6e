import type { JsonValue } from '../flows/json/exact-json.ts'
import type { DocumentTask, GivenDocument } from '../flows/step/step-documents.ts'
import { decodeText } from './decode-text.ts'
import { type DocumentType, detectType } from './detect-type.ts'
import { BadDocument } from './document-fault.ts'
import type { Extracted } from './extracted.ts'

type ExtractTask = Extract<DocumentTask, { kind: 'extract' }>

/** By what is in it first, and by what is said of it only where that does not tell. */
export async function extract(task: ExtractTask, document: GivenDocument): Promise<JsonValue> {
  const type = await detectType(document)
  const { text, data } = await contentOf(type, document, task)
  return { text, data: { type, ...data } }
}

async function contentOf(type: DocumentType, document: GivenDocument, task: ExtractTask): Promise<Extracted> {
  const { bytes, contentType } = document
  switch (type) {
    case 'pdf':
      return (await import('./formats/pdf.ts')).readPdf(bytes)
    case 'docx':
    case 'pptx':
      return (await import('./formats/office.ts')).readOffice(type, bytes)
    case 'xlsx':
    case 'ods':
    case 'csv':
      return (await import('./formats/sheets.ts')).readSheets(type, document, task)
    case 'eml':
      return (await import('./formats/mail.ts')).readMail(bytes)
    case 'html':
      return (await import('./formats/page.ts')).readPage(decodeText(bytes, contentType))
    case 'text':
      return plainText(document)
  }
}

function plainText({ bytes, filename, contentType }: GivenDocument): Extracted {
  const text = decodeText(bytes, contentType)
  if (!text.includes('\u0000')) return { text, data: { pages: [text] } }
  throw new BadDocument(
    'document_unknown',
    `The file ${JSON.stringify(filename)} (${contentType}) is none of the kinds that can be read: PDF, DOCX, XLSX, ODS, PPTX, EML, HTML, CSV and text. Convert it to one of them first.`
  )
}
