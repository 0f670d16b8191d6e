import type { Field } from '../../plugin-api.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
export const BODY_TYPES = ['Auto', 'JSON', 'Form', 'Multipart', 'Text', 'Binary', 'None'] as const
export const RESPONSE_TYPES = ['Auto', 'JSON', 'Text', 'Binary'] as const
export const PAGINATIONS = ['None', 'Next link', 'Cursor', 'Page number'] as const

/** 1 MB: an answer is kept with the run. */
export const DEFAULT_MAX_BYTES = 1024 ** 2
const MOST_BYTES = 64 * 1024 ** 2

/** What a person sets on the node. */
export const FIELDS = {
  connection: {
    kind: 'connection',
    title: 'Connection',
    help: 'Its address comes before the URL, and its sign-in goes to that address only.',
    kinds: ['http'],
    optional: true
  },
  method: { kind: 'choice', title: 'Method', choices: METHODS, default: 'GET' },
  url: {
    kind: 'template',
    title: 'URL',
    help: 'A path below the address of the connection, or a whole URL. Values are percent-encoded.',
    placeholder: '/orders/{order_id}'
  },
  query: {
    kind: 'json',
    title: 'Query',
    help: 'An object of templates. A list gives its parameter once per item; what may be absent and is, is left out.',
    placeholder: '{ "status": "{status}" }'
  },
  headers: {
    kind: 'json',
    title: 'Headers',
    help: 'An object of templates. Secrets belong into a connection.',
    placeholder: '{ "Accept-Language": "{language?en}" }',
    hidden: true
  },
  body: {
    kind: 'json',
    title: 'Body',
    help: 'An object of templates, or a text that is one. Empty: the data as JSON, for POST, PUT and PATCH.',
    placeholder: '{ "order": "{order_id}" }'
  },
  body_type: {
    kind: 'choice',
    title: 'Body type',
    help: 'Auto: JSON for an object, and for a text what it looks like.',
    choices: BODY_TYPES,
    default: 'Auto',
    hidden: true
  },
  fail_on_status: {
    kind: 'boolean',
    title: 'Fail on status',
    help: 'An answer with a status of 400 or more fails the step. Otherwise it is given out like any other.',
    default: true,
    hidden: true
  },
  response_type: {
    kind: 'choice',
    title: 'Response type',
    help: 'Auto goes by the type that the answer names.',
    choices: RESPONSE_TYPES,
    default: 'Auto',
    hidden: true
  },
  max_bytes: {
    kind: 'number',
    title: 'Largest response',
    help: 'In bytes, all pages together. A longer answer fails the step.',
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
    help: 'How the next page is found. The items of all pages leave together, or the step fails.',
    choices: PAGINATIONS,
    default: 'None',
    hidden: true
  },
  // These two read the answer, and not the data as templates do.
  items: {
    kind: 'text',
    title: 'Items of a page',
    help: 'Where the list stands in the answer, such as {body.items}. Empty: the body is the list.',
    hidden: true
  },
  next: {
    kind: 'text',
    title: 'Next page',
    help: 'Where the answer names the next page, such as {body.next?} or {body.cursor?}. Empty with Next link: the header Link.',
    hidden: true
  },
  page_parameter: {
    kind: 'text',
    title: 'Page parameter',
    help: 'The query parameter that takes the cursor or the number of the page. Empty: cursor, or page.',
    hidden: true
  },
  first_page: { kind: 'number', title: 'First page', default: 1, min: 0, integer: true, hidden: true },
  max_pages: {
    kind: 'number',
    title: 'Most pages',
    help: 'More pages than these fail the step.',
    default: 100,
    min: 1,
    max: 10_000,
    integer: true,
    hidden: true
  }
} as const satisfies Record<string, Field>
