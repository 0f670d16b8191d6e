import type { Field } from '../../plugin-api.ts'

/** The fields that hold addresses. */
export const ADDRESS_FIELDS = ['to', 'cc', 'bcc', 'reply_to', 'from'] as const

/** What a person sets on the node. */
export const FIELDS = {
  connection: {
    kind: 'connection',
    title: 'Connection',
    help: 'The mail server, and who the mail is from.',
    kinds: ['smtp']
  },
  to: {
    kind: 'template',
    title: 'To',
    help: 'Addresses, separated by commas. A value may be a list of them.',
    placeholder: '{customer.name} <{customer.email}>'
  },
  cc: { kind: 'template', title: 'Cc', help: 'Everybody sees these.', hidden: true },
  bcc: { kind: 'template', title: 'Bcc', help: 'Nobody else sees these.', hidden: true },
  reply_to: {
    kind: 'template',
    title: 'Reply to',
    help: 'Where answers go. Empty: to the sender.',
    hidden: true
  },
  from: {
    kind: 'template',
    title: 'From',
    help: 'Empty: the sender of the connection. The server decides which others it takes.',
    hidden: true
  },
  subject: { kind: 'template', title: 'Subject', placeholder: 'Your order {order_id}' },
  text: {
    kind: 'template',
    title: 'Text',
    help: 'The mail as plain text.',
    placeholder: 'Hello {customer.name}, …'
  },
  html: {
    kind: 'template',
    title: 'HTML',
    help: 'The mail as a page. Values are escaped, unless one value is all of it. With both, the reader’s program chooses.',
    placeholder: '<p>Hello {customer.name}, …</p>'
  },
  attachments: {
    kind: 'json',
    title: 'Attachments',
    help: 'A list of files, or of { name, content, type, base64 } whose texts are templates; or one template that gives such a list.',
    placeholder: '[{ "name": "order.json", "content": "{order}" }]',
    hidden: true
  }
} as const satisfies Record<string, Field>
