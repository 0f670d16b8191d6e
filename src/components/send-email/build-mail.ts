import {
  compileTemplate,
  compileTemplateTree,
  type FieldValues,
  inField,
  renderForPeople,
  StepError,
  type Template,
  type TemplateScope
} from '../../plugin-api.ts'
import { type Attachment, assertFits, readAttachments } from './attachments.ts'
import type { FIELDS } from './fields.ts'
import { type MailAddress, parseAddresses, readAddresses } from './mail-addresses.ts'
import { assertOneLine } from './one-line.ts'

type Values = FieldValues<typeof FIELDS>

/** A mail as it is sent. */
export interface Mail {
  readonly from: MailAddress
  readonly to: readonly MailAddress[]
  readonly cc: readonly MailAddress[]
  readonly bcc: readonly MailAddress[]
  readonly replyTo: readonly MailAddress[]
  readonly subject: string
  readonly text: string
  /** Empty where it is plain text alone. */
  readonly html: string
  readonly attachments: readonly Attachment[]
  readonly messageId: string
  readonly date: Date
}

/** The fields as they are needed for each mail. */
export function prepareMail(fields: Values) {
  const { to, cc, bcc, reply_to, from, subject, text, html, attachments } = fields
  return {
    to: compileTemplate(to),
    cc: compileTemplate(cc),
    bcc: compileTemplate(bcc),
    reply_to: compileTemplate(reply_to),
    from: compileTemplate(from),
    subject: compileTemplate(subject),
    text: compileTemplate(text),
    html: compileTemplate(html),
    attachments: attachments === null || attachments === '' ? undefined : compileTemplateTree(attachments)
  }
}

export interface Sending {
  readonly scope: TemplateScope
  /** Of the connection. */
  readonly sender: string
  readonly run: string
  readonly node: string
  readonly now: number
}

export function buildMail(prepared: ReturnType<typeof prepareMail>, sending: Sending): Mail {
  const { scope, now } = sending
  const addresses = (field: 'to' | 'cc' | 'bcc' | 'reply_to') => readAddresses(field, prepared[field], scope)
  const [to, cc, bcc] = [addresses('to'), addresses('cc'), addresses('bcc')]
  if (to.length + cc.length + bcc.length === 0) throw nobody()
  const from = senderOf(prepared.from, sending)
  const text = inField('text', () => renderText(prepared.text, scope))
  const html = inField('html', () => renderHtml(prepared.html, scope))
  const attachments = readAttachments(prepared.attachments, scope)
  assertFits([text, html], attachments)
  return {
    from,
    to,
    cc,
    bcc,
    replyTo: addresses('reply_to'),
    subject: subjectOf(prepared.subject, scope),
    text,
    html,
    attachments,
    messageId: messageIdOf(sending, from),
    date: new Date(now)
  }
}

function senderOf(template: Template, { scope, sender }: Sending): MailAddress {
  const given = readAddresses('from', template, scope)
  const [from, ...more] = given.length > 0 ? given : parseAddresses('from', sender)
  if (from !== undefined && more.length === 0) return from
  throw new StepError(
    `The sender must be one address, and ${JSON.stringify(sender.slice(0, 100))} is not. Correct "From" of the connection or of the node.`,
    { code: 'sender_invalid', retryable: false }
  )
}

function subjectOf(template: Template, { data, variables }: TemplateScope): string {
  const subject = inField('subject', () => renderForPeople(template, data, variables)).trim()
  assertOneLine('subject', subject)
  return subject
}

/** Signs around a value would be taken for part of an address in which it stands, or which it is. */
function renderText(template: Template, { data, variables }: TemplateScope): string {
  const isInAddress = inAddresses(template)
  return renderForPeople(template, data, variables, {
    isBare: (place, value) => isInAddress[place] === true || PLAIN_ADDRESS.test(value)
  })
}

const PLAIN_ADDRESS = /^https?:\/\/[!-~]+$/i

/** Of each value whether it stands in an address that the author wrote. */
function inAddresses({ literals }: Template): boolean[] {
  let isAddress = false
  return literals.map((literal) => {
    const [, ...further] = literal.split(/\s/)
    const begun = further.at(-1)
    isAddress = begun === undefined ? isAddress || literal.includes('://') : begun.includes('://')
    return isAddress
  })
}

/** A value is text in the page, whatever it holds; one that is the whole page is a page. */
function renderHtml(template: Template, { data, variables }: TemplateScope): string {
  const isOneValue = template.literals.length === 2 && template.literals.join('').trim() === ''
  if (isOneValue) return template.render(data, variables)
  const isInTag = withinTags(template)
  return renderForPeople(template, data, variables, {
    encode: escapeHtml,
    isBare: (place) => isInTag[place] === true
  })
}

/** Of each value whether it stands within a tag, in an attribute for instance. */
function withinTags({ literals }: Template): boolean[] {
  let isOpen = false
  return literals.map((literal) => {
    const [opened, closed] = [literal.lastIndexOf('<'), literal.lastIndexOf('>')]
    if (opened !== closed) isOpen = opened > closed
    return isOpen
  })
}

/** One after the other: to call a function for each takes 130 ms where a megabyte is nothing else. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/** The same for every attempt, also after a crash: a mail that is sent twice is known to be one. */
function messageIdOf({ run, node }: Sending, { address }: MailAddress): string {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return `<${run}.${node}@${URL.parse(`http://${domain}`)?.hostname ?? 'millrace.invalid'}>`
}

function nobody(): StepError {
  return new StepError(
    'Nobody would get this mail: To, Cc and Bcc are empty once they are filled in. Check what the data holds.',
    { code: 'recipient_missing', retryable: false }
  )
}
