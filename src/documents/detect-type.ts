import type { GivenDocument } from '../flows/step/step-documents.ts'
import { BadDocument } from './document-fault.ts'
import { readZip } from './formats/zip.ts'

export type DocumentType = 'pdf' | 'docx' | 'xlsx' | 'pptx' | 'ods' | 'eml' | 'html' | 'csv' | 'text'

const HEAD_BYTES = 1_024
const TAIL_BYTES = 1_024

/** In each the part that all of its kind have. */
const ZIPPED: readonly [part: string, type: DocumentType][] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.xml', 'xlsx'],
  ['ppt/presentation.xml', 'pptx']
]

const SAID: readonly [type: DocumentType, contentType: RegExp, filename: RegExp][] = [
  ['eml', /^message\/rfc822/i, /\.eml$/i],
  ['html', /^(?:text\/html|application\/xhtml)/i, /\.x?html?$/i],
  ['csv', /^text\/(?:csv|tab-separated-values)/i, /\.[ct]sv$/i]
]

const PDF = /^(?:\u00ef\u00bb\u00bf)?\s*%PDF-/
const HTML = /^\s*(?:<!--[^>]*-->\s*)*<(?:!doctype\s+html|html[\s>]|head[\s>]|body[\s>])/i
/** Two headers to begin with, as no letter has them. */
const MAIL =
  /^(?:(?:From|To|Subject|Date|Received|Return-Path|Delivered-To|MIME-Version|Message-ID):[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*){2}/i

export async function detectType({ bytes, filename, contentType }: GivenDocument): Promise<DocumentType> {
  const head = latin1(bytes.subarray(0, HEAD_BYTES))
  if (PDF.test(head)) return 'pdf'
  if (head.startsWith('PK\u0003\u0004')) return zippedType(bytes)
  if (head.startsWith('\u00d0\u00cf\u0011\u00e0')) throw oldOffice(bytes)
  const named = SAID.find(([, type, name]) => type.test(contentType) || name.test(filename))
  if (named !== undefined) return named[0]
  const text = head.replace(/^\u00ef\u00bb\u00bf/, '')
  if (HTML.test(text)) return 'html'
  if (MAIL.test(text)) return 'eml'
  return head.includes('%PDF-') && isEndOfPdf(bytes) ? 'pdf' : 'text'
}

/** Viewers read one that stands behind other bytes, too. A text that only names the mark ends in another way. */
function isEndOfPdf(bytes: Uint8Array): boolean {
  return latin1(bytes.subarray(-TAIL_BYTES)).includes('startxref')
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}

async function zippedType(bytes: Uint8Array): Promise<DocumentType> {
  const zip = await readZip(bytes)
  const found = ZIPPED.find(([part]) => zip.names.includes(part))
  if (found !== undefined) return found[1]
  if (zip.names.includes('mimetype') && (await zip.text('mimetype')).endsWith('.spreadsheet')) return 'ods'
  throw new BadDocument(
    'document_unknown',
    'This is a ZIP archive, and none of the documents that are one: DOCX, XLSX, PPTX and ODS can be read.'
  )
}

/** Office keeps an encrypted document in the container that its old formats had. */
function oldOffice(bytes: Uint8Array): BadDocument {
  const isEncrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(
    Buffer.from('EncryptedPackage', 'utf16le')
  )
  return isEncrypted
    ? new BadDocument(
        'document_encrypted',
        'The document is protected by a password. Save it without one and send it again.'
      )
    : new BadDocument(
        'document_unknown',
        'This is a document of Office as it was before 2007 (.doc, .xls, .ppt), or a mail of Outlook (.msg). Save it as DOCX, XLSX, PPTX, PDF or EML.'
      )
}
