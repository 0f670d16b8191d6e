import { textOf } from '../../values.ts'
import type { Settings } from './settings.ts'

/** Code has no way of its own to write base64. */
const BASE64 = `const $base64 = (text, signs) => {
  const bytes = new TextEncoder().encode(text)
  let written = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const three = (bytes[at] << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    for (let sign = 0; sign < Math.min(4, bytes.length - at + 1); sign++) written += signs[(three >> (18 - 6 * sign)) & 63]
  }
  return written
}
const $letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const $padded = (text) => { const word = $base64(text, $letters + '+/'); return word.padEnd(Math.ceil(word.length / 4) * 4, '=') }`

/** An expression of JavaScript that is the text of another one, in base64. */
export function base64Js(js: string): string {
  return `(() => { ${oneLine(BASE64)}; return $padded(String(${js} ?? '')) })()`
}

function oneLine(code: string): string {
  return code.replaceAll('\n', '; ').replaceAll('{; ', '{ ')
}

/** A mail as Gmail takes it: whole, in base64 for addresses. What would begin another header is no part of one. */
const MAIL = `${BASE64}
const $word = (text) => (/^[ -~]*$/.test(text) ? text : '=?UTF-8?B?' + $padded(text) + '?=')
const $header = ([name, value]) => name + ': ' + $word([value].flat().join(', ').replace(/[\\r\\n]+/g, ' '))
const $mail = (headers, kind, text) => $base64([...headers.filter(([, value]) => value).map($header), 'MIME-Version: 1.0', 'Content-Type: text/' + kind + '; charset=utf-8', '', text ?? ''].join('\\r\\n'), $letters + '-_')`

function mailJs(settings: Settings, headers: readonly (readonly [name: string, js: string])[]): string {
  const kind = textOf(settings.raw('emailType')) === 'text' ? 'plain' : 'html'
  const rows = headers.map(([name, js]) => `[${JSON.stringify(name)}, ${js}]`)
  return `$mail([${rows.join(', ')}], '${kind}', ${settings.js('message|htmlMessage')})`
}

/** The placeholder of a mail by the settings of its node. */
export function sentMail(settings: Settings): string {
  const mail = mailJs(settings, [
    ['To', settings.js('sendTo|toList|options.sendTo')],
    ['Cc', settings.js('options.ccList|additionalFields.ccList')],
    ['Bcc', settings.js('options.bccList|additionalFields.bccList')],
    ['Reply-To', settings.js('options.replyTo')],
    ['Subject', settings.js('subject')]
  ])
  return settings.write.computed(`(() => { ${oneLine(MAIL)}; return ${mail} })()`)
}

/** Code that answers the mail in `$there`. */
export function reply(settings: Settings): string {
  const mail = mailJs(settings, [
    ['To', "$of('Reply-To') ?? $of('From')"],
    ['Subject', "$of('Subject')"],
    ['In-Reply-To', "$of('Message-ID')"],
    ['References', "$of('Message-ID')"]
  ])
  return `${MAIL}
const $of = (name) => $there.payload?.headers?.find((header) => header.name.toLowerCase() === name.toLowerCase())?.value
return { raw: ${mail}, threadId: $there.threadId }`
}
