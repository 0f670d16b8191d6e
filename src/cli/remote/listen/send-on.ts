import type { Api } from '../api.ts'
import { causeOf } from '../refusals.ts'
import type { Forwarded, ForwardedBody, KeptFile } from './forwarded-request.ts'

/** What came of sending it on: what was answered, or why nothing was. */
export type Sent =
  | { readonly status: number; readonly took_ms: number }
  | { readonly error: string; readonly took_ms: number }

/** Somebody who looks at the request in a debugger takes their time. */
const TIMEOUT_MS = 600_000

type Body = Uint8Array<ArrayBuffer> | URLSearchParams | FormData | undefined

export async function sendOn(
  request: Pick<Forwarded, 'method' | 'url' | 'headers'>,
  body: Body,
  signal: AbortSignal
): Promise<Sent> {
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      ...(body === undefined ? {} : { body })
    })
    await response.arrayBuffer()
    return { status: response.status, took_ms: took() }
  } catch (error) {
    signal.throwIfAborted()
    return { error: causeOf(error), took_ms: took() }
  }
}

/** With the files that the service keeps. */
export async function bodyFor(body: ForwardedBody, api: Api): Promise<Body> {
  switch (body.kind) {
    case 'none':
      return undefined
    case 'bytes':
      return new Uint8Array(body.bytes)
    case 'form':
      return new URLSearchParams(body.fields.map(([name, value]): [string, string] => [name, value]))
    case 'file':
      return bytesOf(body.file, api)
    case 'parts':
      return partsOf(body.fields, api)
  }
}

async function partsOf(
  fields: readonly (readonly [string, string | KeptFile])[],
  api: Api
): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value)
    else
      form.append(name, new Blob([await bytesOf(value, api)], { type: value.content_type }), value.filename)
  }
  return form
}

async function bytesOf({ file }: KeptFile, api: Api): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await api.bytes(`/api/v1/files/${encodeURIComponent(file)}`))
}
