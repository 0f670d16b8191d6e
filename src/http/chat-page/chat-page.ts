import type { FastifyReply } from 'fastify'
import type { MillraceError } from '../../errors.ts'
import { escaped } from '../../flows/escape-html.ts'
import type { ChatEntry } from '../../library/chat-entry.ts'
import { documentStyle, sendDocument } from '../page/plain-document.ts'
import { PAGE_SCRIPT_PATH } from './chat-scripts.ts'
import { CHAT_STYLE } from './chat-style.ts'

const STYLE = documentStyle(CHAT_STYLE)

/** A page of its own, which loads nothing but its script. The sites that the flow names may show it. */
export function sendChatPage(
  reply: FastifyReply,
  { title, welcome, origins }: ChatEntry,
  prefix: string
): FastifyReply {
  const script = `<script src="${escaped(prefix + PAGE_SCRIPT_PATH)}" defer></script>`
  const greeting = welcome.trim() === '' ? '' : `<div class="said"><p>${escaped(welcome.trim())}</p></div>`
  return sendDocument(reply, {
    status: 200,
    style: STYLE,
    head: `<title>${escaped(title)}</title>${script}`,
    body: `<body><header><h1>${escaped(title)}</h1><button type="button" id="anew" hidden>New chat</button></header>
<main><div id="log" role="log" aria-label="Messages" tabindex="0">${greeting}</div><p id="problem" role="alert" hidden></p></main>
<noscript><p>This chat needs JavaScript.</p></noscript>
<form><label for="text">Message</label><textarea id="text" rows="1" maxlength="8000" placeholder="Write a message" autocomplete="off"></textarea><button type="submit" id="send">Send</button><button type="button" id="stop" hidden>Stop</button></form></body>`,
    policy: ["script-src 'self'", "connect-src 'self'"],
    framedBy: origins
  })
}

/** For people who have never heard of the service behind it. */
const NOTICES: Readonly<Record<number, readonly [title: string, text: string]>> = {
  404: [
    'There is no chat here',
    'It may have moved, or it is over. Check the address, or ask whoever gave it to you.'
  ],
  503: ['The chat is closed for now', 'Try again in a while.']
}

export function sendNoChat(reply: FastifyReply, { status, extras }: MillraceError): FastifyReply {
  const [title, text] = NOTICES[status] ?? NOTICES[503]!
  reply.headers(extras.headers ?? {})
  return sendDocument(reply, {
    status,
    style: STYLE,
    head: `<title>${title}</title>`,
    body: `<body class="notice"><main><h1>${title}</h1><p>${text}</p></main></body>`
  })
}
