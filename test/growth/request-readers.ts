import type { IncomingMessage } from 'node:http'
import { deliveryHeaders, secretsOf } from '../../src/components/http/sign-delivery.ts'
import { assertCron } from '../../src/components/schedule/cron.ts'
import { readDuration } from '../../src/flows/duration.ts'
import { redactQuery } from '../../src/flows/request-secrets.ts'
import { slugify } from '../../src/flows/slug.ts'
import { readTime } from '../../src/http/requests/read-time.ts'
import { clientAddress, readTrustedProxies } from '../../src/http/requests/trusted-proxies.ts'
import { readCookie } from '../../src/http/session/session-cookie.ts'
import { preferredWait } from '../../src/http/webhook/prefer.ts'
import { requestFacts } from '../../src/http/webhook/request-facts.ts'
import { signatureInvalid } from '../../src/http/webhook/signature-fault.ts'
import { isSignedBy } from '../../src/http/webhook/webhook-signature.ts'
import { readSessionToken } from '../../src/keys/session-token.ts'
import { BODY, HEADER, type Reader, shape, texts } from './shapes.ts'

const headersOf = (headers: Record<string, string>) => ({ headers, socket: {} }) as unknown as IncomingMessage

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
    name: 'requests',
    covers: [
      'src/http/webhook/prefer.ts',
      'src/http/webhook/webhook-signature.ts',
      'src/http/webhook/signature-fault.ts',
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
      ...['Standard Webhooks', 'GitHub', 'Stripe', 'Slack'].flatMap((scheme) =>
        texts(HEADER, (text) => {
          const names = [
            'webhook-id',
            'webhook-signature',
            'x-hub-signature-256',
            'stripe-signature',
            'x-slack-signature'
          ]
          const headers = Object.fromEntries(names.map((name) => [name, text]))
          return isSignedBy(scheme, {
            headers: { ...headers, 'webhook-timestamp': '0' },
            body: Buffer.from('x'),
            secret: 'AAAA',
            now: 0
          })
        })
      ),
      ...texts(HEADER, (text) =>
        signatureInvalid('Stripe', headersOf({ 'stripe-signature': text }).headers, 0)
      ),
      shape('headers', HEADER / 16, (n) => {
        const rawHeaders = Array.from({ length: n }, (_, at) => [`x-${at}`, 'v']).flat()
        const request = { method: 'POST', rawHeaders, headers: {} } as unknown as IncomingMessage
        return () => requestFacts(request, { url: '/', address: '', hidden: null })
      })
    ]
  },
  {
    name: 'durations and slugs',
    covers: ['src/flows/duration.ts', 'src/flows/slug.ts', 'src/http/flows/flow-slug.ts'],
    shapes: [...texts(BODY / 8, (text) => readDuration(text)), ...texts(BODY / 8, (text) => slugify(text))]
  },
  {
    name: 'times of schedules',
    covers: ['src/components/schedule/cron.ts'],
    shapes: texts(BODY / 16, (text) => assertCron(text, 'UTC', 0))
  }
]
