import type { IncomingMessage } from 'node:http'
import { deliveryHeaders, secretsOf } from '../../src/components/http/sign-delivery.ts'
import { assertCron } from '../../src/components/schedule/cron.ts'
import { everyOf } from '../../src/components/schedule/every.ts'
import { readDuration } from '../../src/flows/duration.ts'
import { readForm } from '../../src/flows/form/form.ts'
import { FORM_FIELD_TYPES } from '../../src/flows/form/form-fields.ts'
import { formHtml } from '../../src/flows/form/form-html.ts'
import { readAnswers } from '../../src/flows/form/read-answers.ts'
import { redactQuery } from '../../src/flows/request-secrets.ts'
import { slugify } from '../../src/flows/slug.ts'
import { readSignedText, SIGNATURE_SCHEMES } from '../../src/flows/webhook-signatures.ts'
import { readTime } from '../../src/http/requests/read-time.ts'
import { clientAddress, readTrustedProxies } from '../../src/http/requests/trusted-proxies.ts'
import { readCookie } from '../../src/http/session/session-cookie.ts'
import { formPayload } from '../../src/http/webhook/payload/form-payload.ts'
import { filenameOf, payloadKind } from '../../src/http/webhook/payload/payload-kind.ts'
import { queryPayload } from '../../src/http/webhook/payload/query-payload.ts'
import { preferredWait } from '../../src/http/webhook/prefer.ts'
import { requestFacts } from '../../src/http/webhook/request-facts.ts'
import { isSigned } from '../../src/http/webhook/signatures/scheme.test-kit.ts'
import { signatureInvalid } from '../../src/http/webhook/signatures/signature-fault.ts'
import { readSessionToken } from '../../src/keys/session-token.ts'
import { BODY, HEADER, type Reader, shape, texts } from './shapes.ts'

const headersOf = (headers: Record<string, string>) => ({ headers, socket: {} }) as unknown as IncomingMessage

const SIGNATURE_HEADERS = [
  'webhook-id',
  'webhook-signature',
  'x-hub-signature-256',
  'stripe-signature',
  'x-slack-signature',
  'x-shopify-hmac-sha256',
  'x-twilio-signature',
  'calendly-webhook-signature',
  'x-twilio-email-event-webhook-signature',
  'x-sign'
]

const RULE = {
  signature_header: 'x-sign',
  signature_algorithm: 'sha256',
  signature_encoding: 'hex',
  signed_text: '{header:x-sign}{body}'
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'AAAA' }

const EVERY_TYPE = readForm({
  fields: FORM_FIELD_TYPES.map((type) => ({ name: type, type, choices: ['a'] }))
})

/** What reads requests, and the short texts in them. */
export const REQUEST_READERS: readonly Reader[] = [
  {
    name: 'signatures of deliveries',
    covers: [],
    shapes: texts(BODY / 8, (text) =>
      deliveryHeaders({ id: '1', now: 0, body: text, secrets: secretsOf('AAAA') })
    )
  },
  {
    name: 'forms and queries of webhooks',
    covers: [],
    shapes: [
      ...texts(BODY / 8, (text) => formPayload(Buffer.from(`a=${text}`))),
      ...texts(BODY / 8, (text) => formPayload(Buffer.from(`a=${'%41+'.repeat(text.length / 4)}`))),
      ...texts(HEADER, (text) => queryPayload(`/?${text.replaceAll(',', '&')}`, new Set(['a']))),
      ...texts(HEADER, (text) => filenameOf(`attachment; filename="${text}"`, text)),
      ...texts(HEADER, (text) => payloadKind(text))
    ]
  },
  {
    name: 'requests',
    covers: [
      'src/http/webhook/prefer.ts',
      'src/http/webhook/signatures/hmac-rule.ts',
      'src/http/webhook/signatures/schemes.ts',
      'src/http/webhook/signatures/signature-fault.ts',
      'src/http/webhook/signatures/standard-webhooks.ts',
      'src/http/webhook/signatures/timed-list.ts',
      'src/http/requests/read-time.ts',
      'src/http/requests/validate-with-typebox.ts'
    ],
    shapes: [
      ...texts(HEADER, (text) => preferredWait(text)),
      ...texts(HEADER, (text) => readCookie(text, 'session')),
      ...texts(HEADER, (text) => readSessionToken(text)),
      ...texts(HEADER, (text) => readTime(text)),
      ...texts(HEADER, (text) => redactQuery(`/a?${text.replaceAll(',', '&')}`, () => false)),
      ...texts(HEADER, (text) =>
        clientAddress(headersOf({ 'x-forwarded-for': text }), readTrustedProxies('16')!)
      ),
      ...SIGNATURE_SCHEMES.flatMap((signature_scheme) =>
        texts(HEADER, (text) => {
          const headers = Object.fromEntries(SIGNATURE_HEADERS.map((name) => [name, text]))
          return isSigned(
            { ...RULE, signature_scheme },
            {
              headers: { ...headers, 'webhook-timestamp': '0' },
              body: Buffer.from('x'),
              secret: 'AAAA',
              now: 0
            }
          )
        })
      ),
      ...texts(HEADER, (text) => readSignedText(text)),
      ...texts(BODY / 8, (text) =>
        isSigned(
          { signature_scheme: 'Twilio' },
          { headers: FORM, body: Buffer.from(text.replaceAll(',', '&')), secret: 'AAAA', now: 0 }
        )
      ),
      ...texts(HEADER, (text) =>
        signatureInvalid(
          { signatureScheme: 'Stripe', hmac: null },
          headersOf({ 'stripe-signature': text }).headers,
          0
        )
      ),
      shape('headers', HEADER / 16, (n) => {
        const rawHeaders = Array.from({ length: n }, (_, at) => [`x-${at}`, 'v']).flat()
        const request = { method: 'POST', rawHeaders, headers: {} } as unknown as IncomingMessage
        return () => requestFacts(request, { url: '/', address: '', hidden: null })
      })
    ]
  },
  {
    name: 'forms',
    covers: ['src/flows/form/read-answers.ts'],
    shapes: [
      ...texts(BODY / 8, (text) => {
        const answers = Object.fromEntries(FORM_FIELD_TYPES.map((type) => [type, text]))
        return readAnswers(EVERY_TYPE.fields, answers)
      }),
      ...texts(BODY / 8, (text) =>
        formHtml(EVERY_TYPE, { values: { text, 'long text': text }, faults: [], key: text })
      )
    ]
  },
  {
    name: 'durations and slugs',
    covers: ['src/flows/duration.ts', 'src/flows/slug.ts', 'src/http/flows/flow-slug.ts'],
    shapes: [...texts(BODY / 8, (text) => readDuration(text)), ...texts(BODY / 8, (text) => slugify(text))]
  },
  {
    name: 'times of schedules',
    covers: ['src/components/schedule/cron.ts', 'src/components/schedule/every.ts'],
    shapes: [
      ...texts(BODY / 16, (text) => assertCron(text, 'UTC', 0)),
      ...texts(BODY / 16, (text) => everyOf(text, 'UTC', 0))
    ]
  }
]
