import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MillraceError } from '../../errors.ts'
import { escaped } from '../../flows/escape-html.ts'
import type { Form } from '../../flows/form/form.ts'
import { type FilledForm, formHtml, noticeHtml, thanksHtml } from '../../flows/form/form-html.ts'
import { formStyle } from '../../flows/form/form-style.ts'
import { documentStyle, sendDocument } from '../page/plain-document.ts'
import { isJsonBody } from './form-body.ts'
import { SCRIPT_PATH } from './form-script.ts'

/** Programs ask for JSON, and are answered as by a webhook; everybody else sees pages. */
export function wantsJson(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? ''
  if (accept.includes('text/html')) return false
  return /\bapplication\/(?:[\w.-]+\+)?json\b/.test(accept) || isJsonBody(request)
}

interface Shown {
  readonly status: number
  /** Bytes that all that is sent may have. */
  readonly fileLimit: number
  readonly prefix: string
}

/** A page that others may show in a frame: it asks for no cookie, so nobody's rights are at stake in there. */
export function sendForm(
  reply: FastifyReply,
  form: Form,
  filled: FilledForm,
  { status, prefix, fileLimit }: Shown
): FastifyReply {
  const script = `<script src="${escaped(prefix + SCRIPT_PATH)}" defer></script>`
  const beginning = filled.faults.length > 0 || filled.problem !== undefined ? 'Look again: ' : ''
  return sendPage(reply, form, {
    status,
    head: `<title>${escaped(beginning + form.title)}</title>${script}`,
    main: formHtml(form, { ...filled, fileLimit }),
    hasForm: true
  })
}

export function sendThanks(reply: FastifyReply, form: Form, thanks: string): FastifyReply {
  const head = `<title>${escaped(form.title)}</title>`
  return sendPage(reply, form, { status: 200, head, main: thanksHtml(form, thanks) })
}

/** In place of a form: there is none, or it cannot be read what was sent. */
export function sendNotice(reply: FastifyReply, error: MillraceError): FastifyReply {
  const { title, text } = NOTICES[error.status] ?? OTHER
  reply.headers(error.extras.headers ?? {})
  const head = `<title>${escaped(title)}</title>`
  return sendPage(reply, PLAIN, { status: error.status, head, main: noticeHtml(title, text) })
}

const PLAIN = { picture: '', accent: '' }

const OTHER = {
  title: 'This cannot be taken now',
  text: 'Nothing was sent. Go back: what you wrote is still there. Then try again in a moment.'
}

/** For people who have never heard of the service behind it. */
const NOTICES: Readonly<Record<number, typeof OTHER>> = {
  400: { title: 'This did not arrive whole', text: 'Nothing was sent. Go back and try again.' },
  404: {
    title: 'There is no form here',
    text: 'It may have moved, or it is over. Check the address, or ask whoever gave it to you.'
  },
  413: {
    title: 'This is too large',
    text: 'Nothing was sent. Go back, choose a smaller file or write less, and try again.'
  },
  429: {
    title: 'This was sent too often',
    text: 'Nothing was sent. Go back: what you wrote is still there. Then wait a minute and try again.'
  }
}

interface Page {
  readonly status: number
  readonly head: string
  readonly main: string
  readonly hasForm?: boolean
}

function sendPage(
  reply: FastifyReply,
  { picture, accent }: Pick<Form, 'picture' | 'accent'>,
  { status, head, main, hasForm = false }: Page
): FastifyReply {
  const policy = hasForm ? ["script-src 'self'", "connect-src 'self'"] : []
  if (picture !== '')
    policy.push(`img-src ${picture.startsWith('data:') ? 'data:' : new URL(picture).origin}`)
  return sendDocument(reply, {
    status,
    style: documentStyle(`html{height:100%}${formStyle({ accent })}`),
    head,
    body: `<body class="page">${main}</body>`,
    hasForm,
    policy,
    isFramed: true
  })
}
