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

/** `s3://bucket/prefix?endpoint=…&region=…`. Without an endpoint it is Amazon's. Nothing of what may be a key is shown. */
export function readObjectStoreAddress(text: string): ObjectStoreAddress {
  const read = URL.canParse(text) ? new URL(text) : undefined
  if (read?.protocol !== 's3:' || read.hostname === '')
    throw wrong('it is not an address of an object store.')
  const unknown = [...read.searchParams.keys()].find((name) => name !== 'endpoint' && name !== 'region')
  if (unknown !== undefined) throw wrong(`it holds the unknown parameter "${unknown}".`)
  if (read.username !== '' || read.password !== '')
    throw wrong('it holds a key. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.')
  const region = read.searchParams.get('region') || 'us-east-1'
  const endpoint = read.searchParams.get('endpoint')
  const path = readPath(read.pathname)
  return {
    url: endpoint === null ? ofAmazon(read.hostname, region) : `${readEndpoint(endpoint)}/${read.hostname}`,
    prefix: path === '' ? '' : `${path}/`,
    region
  }
}

/** Certificates of Amazon's are for one name below the region: a bucket with a dot is named in the path. */
function ofAmazon(bucket: string, region: string): string {
  const host = `s3.${region}.amazonaws.com`
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}

function readPath(path: string): string {
  try {
    return decodeURIComponent(path).replace(/^\/+|\/+$/g, '')
  } catch {
    throw wrong('its prefix cannot be read.')
  }
}

function readEndpoint(text: string): string {
  const read = URL.canParse(text) ? new URL(text) : undefined
  const isPlain =
    read !== undefined && /^https?:$/.test(read.protocol) && read.href === read.origin + read.pathname
  if (!isPlain) throw wrong('its endpoint is not an address such as https://objects.example.com.')
  return text.replace(/\/+$/, '')
}

function wrong(what: string): MillraceError {
  return new MillraceError('config_invalid', `MILLRACE_FILES cannot be used: ${what} ${HELP}`)
}
