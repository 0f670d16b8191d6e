import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { BadDocument, brokenDocument } from '../document-fault.ts'
import type { Extracted } from '../extracted.ts'
import { htmlText } from '../web/html-text.ts'

/** Each becomes a file, which is written to the disk by itself: a megabyte of mail can hold twenty thousand. */
const MOST_ATTACHMENTS = 1_000

/** A mail: who wrote what to whom, its text, and what is attached, as Base64. */
export async function readMail(bytes: Uint8Array): Promise<Extracted> {
  try {
    const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' })
    if (mail.headers.length === 0) throw new Error('it has no headers')
    if (mail.attachments.length > MOST_ATTACHMENTS) throw tooMany(mail.attachments.length)
    const text = textOf(mail)
    return {
      text,
      data: {
        subject: mail.subject ?? '',
        from: addressText(mail.from),
        to: (mail.to ?? []).map(addressText),
        cc: (mail.cc ?? []).map(addressText),
        date: mail.date ?? null,
        message_id: mail.messageId ?? null,
        text,
        html: mail.html ?? null,
        attachments: mail.attachments.map(attachment)
      }
    }
  } catch (error) {
    throw brokenDocument('a mail', error)
  }
}

function tooMany(count: number): BadDocument {
  return new BadDocument(
    'document_too_large',
    `The mail has ${count} attachments, and ${MOST_ATTACHMENTS} are the most. Send them in several mails.`
  )
}

function textOf({ text, html }: Email): string {
  if (text !== undefined && text.trim() !== '') return text.trimEnd()
  return html === undefined ? '' : htmlText(html)
}

function addressText(address: Address | undefined): string {
  if (address === undefined) return ''
  const { name, address: email } = address
  if (email === undefined || email === '') return name
  return name === '' ? email : `${name} <${email}>`
}

function attachment({ filename, mimeType, content }: Attachment, at: number): JsonValue {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer)
  return {
    filename: filename ?? `attachment-${at + 1}`,
    content_type: mimeType,
    base64: bytes.toString('base64')
  }
}
