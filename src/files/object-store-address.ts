import { MillraceError } from '../errors.ts'

/** What `MILLRACE_FILES` says. */
export interface ObjectStoreAddress {
  /** Of the bucket, without a slash at its end. */
  readonly url: string
  /** What all names begin with: empty, or with a slash at its end. */
  readonly prefix: string
  readonly region: string
}

const HELP = 'Write it as s3://bucket/prefix?endpoint=https://host&region=name, or leave it out.'

/** `s3://bucket/prefix?endpoint=…&region=…`. Without an endpoint it is Amazon's. */
export function readObjectStoreAddress(text: string): ObjectStoreAddress {
  const read = URL.canParse(text) ? new URL(text) : undefined
  if (read?.protocol !== 's3:' || read.hostname === '')
    throw wrong(`${JSON.stringify(text)} is not an address.`)
  const unknown = [...read.searchParams.keys()].find((name) => name !== 'endpoint' && name !== 'region')
  if (unknown !== undefined) throw wrong(`It holds the unknown parameter "${unknown}".`)
  if (read.username !== '' || read.password !== '')
    throw wrong('It holds a key. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.')
  const region = read.searchParams.get('region') ?? 'us-east-1'
  const endpoint = read.searchParams.get('endpoint')
  const path = decodeURIComponent(read.pathname).replace(/^\/+|\/+$/g, '')
  return {
    url:
      endpoint === null
        ? `https://${read.hostname}.s3.${region}.amazonaws.com`
        : `${readEndpoint(endpoint)}/${read.hostname}`,
    prefix: path === '' ? '' : `${path}/`,
    region
  }
}

function readEndpoint(text: string): string {
  const read = URL.canParse(text) ? new URL(text) : undefined
  if (read?.protocol !== 'https:' && read?.protocol !== 'http:')
    throw wrong(`Its endpoint ${JSON.stringify(text)} is not an address of HTTP.`)
  return text.replace(/\/+$/, '')
}

function wrong(what: string): MillraceError {
  return new MillraceError('config_invalid', `MILLRACE_FILES cannot be used: ${what} ${HELP}`)
}
