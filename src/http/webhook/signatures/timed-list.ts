import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isSame, type Scheme, textOf } from './scheme.ts'

/** `t=<time>,v1=<hex>` in one header, with one v1 for each active secret, as Stripe began it. */
export function timedList(header: string): Scheme {
  const partsOf = (headers: IncomingHttpHeaders) =>
    textOf(headers[header])
      .split(',')
      .map((part) => part.trim().split('='))
  const timeOf = (headers: IncomingHttpHeaders) => partsOf(headers).find(([name]) => name === 't')?.[1] ?? ''
  return {
    headers: [header],
    time: timeOf,
    check: ({ headers, body }, secret) => {
      const expected = signatureOf(secret, timeOf(headers), body)
      return partsOf(headers).some(
        ([name, value = '']) => name === 'v1' && isSame(Buffer.from(value, 'hex'), expected)
      )
    },
    sign: ({ body }, secret, { seconds }) => ({
      [header]: `t=${seconds},v1=${signatureOf(secret, String(seconds), body).toString('hex')}`
    })
  }
}

function signatureOf(secret: string, time: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest()
}
