import type { Field } from '../../plugin-api.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
export const BODY_TYPES = ['Auto', 'JSON', 'Form', 'Multipart', 'Text', 'Binary', 'None'] as const
export const RESPONSE_TYPES = ['Auto', 'JSON', 'Text', 'Binary'] as const
export const PAGINATIONS = ['None', 'Next link', 'Cursor', 'Page number'] as const

/** 1 MB: an answer is kept with the run. */
const DEFAULT_MAX_BYTES = 1024 ** 2
const MOST_BYTES = 64 * 1024 ** 2

/** How an answer is read, and those that follow it: the same wherever an API is called. */
export const ANSWER_FIELDS = {
  fail_on_status: {
    kind: 'boolean',
    title: 'Fail on status',
    help: 'A response with a status of 400 or more fails the step. When off, it is returned like any other.',
    default: true,
    hidden: true
  },
  response_type: {
    kind: 'choice',
    title: 'Response type',
    help: 'Auto: by the content type of the response.',
    choices: RESPONSE_TYPES,
    default: 'Auto',
    hidden: true
  },
  max_bytes: {
    kind: 'number',
    title: 'Largest response',
    help: 'In bytes, all pages together. A longer response fails the step.',
    default: DEFAULT_MAX_BYTES,
    min: 1,
    max: MOST_BYTES,
    integer: true,
    hidden: true
  },
  follow_redirects: { kind: 'boolean', title: 'Follow redirects', default: true, hidden: true },
  pagination: {
    kind: 'choice',
    title: 'Pagination',
    help: 'How to find the next page. The items of all pages are returned together, or the step fails.',
    choices: PAGINATIONS,
    default: 'None',
    hidden: true
  },
  // These two read the answer, and not the data as templates do.
  items: {
    kind: 'template',
    answer: true,
    title: 'Items of a page',
    help: 'Where the list is in the response, such as {body.items}. Empty: the body is the list.',
    hidden: true
  },
  next: {
    kind: 'template',
    answer: true,
    title: 'Next page',
    help: 'Where the response names the next page, such as {body.next?} or {body.cursor?}. Empty with Next link: the header Link.',
    hidden: true
  },
  page_parameter: {
    kind: 'text',
    title: 'Page parameter',
    help: 'The query parameter for the cursor or the page number. Empty: cursor, or page.',
    hidden: true
  },
  first_page: {
    kind: 'number',
    title: 'First page',
    default: 1,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    integer: true,
    hidden: true
  },
  pause: {
    kind: 'text',
    title: 'Pause between pages',
    help: 'How long it waits before the next page, such as 1s; a minute at most. It counts as time of the step.',
    default: '0s',
    hidden: true
  },
  max_pages: {
    kind: 'number',
    title: 'Most pages',
    help: 'The step fails if there are more pages.',
    default: 100,
    min: 1,
    max: 10_000,
    integer: true,
    hidden: true
  }
} as const satisfies Record<string, Field>

/** What a person sets on the node. */
export const FIELDS = {
  connection: {
    kind: 'connection',
    title: 'Connection',
    help: 'The URL is relative to its address; its credentials are sent to that address only.',
    kinds: ['http'],
    optional: true
  },
  method: { kind: 'choice', title: 'Method', choices: METHODS, default: 'GET' },
  url: {
    kind: 'template',
    title: 'URL',
    help: 'A path below the address of the connection, or a complete URL. Values are percent-encoded.',
    placeholder: '/orders/{order_id}'
  },
  query: {
    kind: 'json',
    title: 'Query',
    help: 'An object of templates. A list repeats its parameter for each item; an optional value that is absent is left out.',
    placeholder: '{ "status": "{status}" }'
  },
  headers: {
    kind: 'json',
    title: 'Headers',
    help: 'An object of templates. Secrets belong in a connection.',
    placeholder: '{ "Accept-Language": "{language?en}" }',
    hidden: true
  },
  body: {
    kind: 'json',
    title: 'Body',
    help: 'An object of templates, or one template. Empty: the data as JSON, for POST, PUT and PATCH.',
    placeholder: '{ "order": "{order_id}" }'
  },
  body_type: {
    kind: 'choice',
    title: 'Body type',
    help: 'Auto: JSON for an object; a text is sent as what it looks like.',
    choices: BODY_TYPES,
    default: 'Auto',
    hidden: true
  },
  ...ANSWER_FIELDS
} as const satisfies Record<string, Field>
