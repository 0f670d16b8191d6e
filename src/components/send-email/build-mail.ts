import {
  BoundedText,
  compileTemplate,
  compileTemplateTree,
  type FieldValues,
  inFieldTurns,
  renderForPeople,
  StepError,
  type Template,
  type TemplateScope,
  type Turns
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

/** In characters: as much as a whole mail may have. */
const LONGEST_TEXT = 25 * 1024 ** 2
const LONGEST_SUBJECT = 2_000
/** Servers take a hundred to a thousand; a list of a sender's making must not become mail to the world. */
const MOST_RECIPIENTS = 1_000

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

interface Sending {
  readonly scope: TemplateScope
  /** Of the connection. */
  readonly sender: string
  /** The same for every attempt. */
  readonly idempotencyKey: string
  readonly now: number
}

export function* buildMail(prepared: ReturnType<typeof prepareMail>, sending: Sending): Turns<Mail> {
  const { scope, now } = sending
  const addresses = (field: 'to' | 'cc' | 'bcc' | 'reply_to') => readAddresses(field, prepared[field], scope)
  const [to, cc, bcc] = [addresses('to'), addresses('cc'), addresses('bcc')]
  const recipients = to.length + cc.length + bcc.length
  if (recipients === 0) throw nobody()
  if (recipients > MOST_RECIPIENTS) throw tooMany(recipients)
  const from = senderOf(prepared.from, sending)
  const text = yield* inFieldTurns('text', renderText(prepared.text, scope))
  const html = yield* inFieldTurns('html', renderHtml(prepared.html, scope))
  const attachments = yield* readAttachments(prepared.attachments, scope)
  assertFits([text, html], attachments)
  return {
    from,
    to,
    cc,
    bcc,
    replyTo: addresses('reply_to'),
    subject: yield* subjectOf(prepared.subject, scope),
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

function* subjectOf(template: Template, { data, variables }: TemplateScope): Turns<string> {
  const options = { most: LONGEST_SUBJECT }
  const subject = (yield* inFieldTurns('subject', renderForPeople(template, data, variables, options))).trim()
  assertOneLine('subject', subject)
  return subject
}

/** Signs around a value would be taken for part of an address in which it stands, or which it is. */
function renderText(template: Template, { data, variables }: TemplateScope): Turns<string> {
  const isInAddress = inAddresses(template)
  return renderForPeople(template, data, variables, {
    most: LONGEST_TEXT,
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
function* renderHtml(template: Template, { data, variables }: TemplateScope): Turns<string> {
  const isOneValue = template.literals.length === 2 && template.literals.join('').trim() === ''
  if (isOneValue) {
    const text = new BoundedText(LONGEST_TEXT)
    yield* template.renderTo(text, data, variables)
    return text.toString()
  }
  const isInTag = withinTags(template)
  return yield* renderForPeople(template, data, variables, {
    most: LONGEST_TEXT,
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
function messageIdOf({ idempotencyKey }: Sending, { address }: MailAddress): string {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return `<${idempotencyKey.replaceAll('/', '.')}@${URL.parse(`http://${domain}`)?.hostname ?? 'millrace.invalid'}>`
}

function tooMany(recipients: number): StepError {
  return new StepError(
    `The mail has ${recipients} recipients; it may have ${MOST_RECIPIENTS}. Send several, with For each for instance.`,
    { code: 'recipients_too_many', retryable: false }
  )
}

function nobody(): StepError {
  return new StepError(
    'Nobody would get this mail: To, Cc and Bcc are empty once they are filled in. Check what the data holds.',
    { code: 'recipient_missing', retryable: false }
  )
}
