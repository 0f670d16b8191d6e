import type { Mail } from './build-mail.ts'
import type { Envelope } from './mail-session.ts'

export interface WrittenMail {
  readonly envelope: Envelope
  readonly message: Buffer
}

/**
 * The mail as it goes over the wire, and whom it goes to. `files` has the bytes of those that are attached. Files of this machine
 * and addresses that a text may name are never read.
 */
export async function writeMail(
  mail: Mail,
  files: ReadonlyMap<string, Uint8Array> = new Map()
): Promise<WrittenMail> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const { to, cc, bcc, replyTo, attachments, html, ...rest } = mail
  const composer = new MailComposer({
    ...rest,
    ...(to.length > 0 && { to: [...to] }),
    ...(cc.length > 0 && { cc: [...cc] }),
    ...(bcc.length > 0 && { bcc: [...bcc] }),
    ...(replyTo.length > 0 && { replyTo: [...replyTo] }),
    ...(html !== '' && { html }),
    attachments: attachments.map(({ content, isBase64, file, ...named }) => ({
      ...named,
      content:
        file === undefined
          ? Buffer.from(content, isBase64 ? 'base64' : 'utf8')
          : Buffer.from(files.get(file.file)!)
    })),
    // Programs that answer mail by themselves leave this one alone (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true
  })
  const compiled = composer.compile()
  const { from, to: recipients } = compiled.getEnvelope()
  const message = await compiled.build()
  return { envelope: { from: String(from), to: recipients, size: message.length }, message }
}
