import type { WebhookAuth } from '../../../../src/flows/webhook-auth.ts'
import type { HmacRule } from '../../../../src/flows/webhook-signatures.ts'
import { javaScriptLiteral, literalValue, pythonLiteral } from './literal.ts'
import { quoteJavaScript, quotePython, quoteShell, quoteShellWithVariable } from './quote-text.ts'
import { type ShellSignature, shellSignature } from './sign-in-shell.ts'

/** What a call of a flow needs to know. */
export interface CallTarget {
  /** Where the service is, with the prefix of a host application: `http://127.0.0.1:7860`. */
  readonly address: string
  /** The flow's slug, as it is live. */
  readonly flow: string
  /** What the flow's Webhook asks of its callers. */
  readonly auth: WebhookAuth
  /** The flow is started by a turn of a chat: there is no Webhook. */
  readonly isChat?: boolean
  /** How its callers sign, where they do. */
  readonly scheme?: string
  /** How they sign by HMAC; absent and null where nobody said. */
  readonly hmac?: HmacRule | null
  /** Where they have their token, where they have one. */
  readonly tokenHeader?: string
  /** The name that comes with their password. */
  readonly basicUser?: string
  /** How it is called; by POST where nothing is said. */
  readonly method?: string
  /** Absent: the snippets read it from the variable MILLRACE_API_KEY of their environment. */
  readonly key?: string
}

const KEY_VARIABLE = 'MILLRACE_API_KEY'
/** What is copied, and stored in a history, holds no secret. */
const SECRET_VARIABLE = 'SIGNING_SECRET'

/** It fills the template that a new Parser begins with. */
export const FIRST_BODY = '{"text":"Hello"}'

/** What the Endpoint field of a Webhook shows. */
export function webhookAddress({ address, flow }: CallTarget): string {
  return `${address.replace(/\/+$/, '')}/api/v1/webhook/${encodeURIComponent(flow)}`
}

/** Where a turn of a chat with the flow is sent. */
function chatAddress({ address, flow }: CallTarget): string {
  return `${address.replace(/\/+$/, '')}/api/v1/flows/${encodeURIComponent(flow)}/chat`
}

function startAddress(target: CallTarget): string {
  return target.isChat === true ? chatAddress(target) : webhookAddress(target)
}

/**
 * The command that starts a flow: what the `curl` field of a Webhook holds as long as nobody has edited it, and what
 * its reset brings back.
 */
export function webhookCurl(target: CallTarget, body: string = FIRST_BODY): string {
  const sent = sendable(body)
  const signature =
    target.auth === 'Signature'
      ? shellSignature(target.scheme, target.hmac ?? null, webhookAddress(target))
      : undefined
  if (signature !== undefined) return signedCurl(target, sent, signature)
  if (target.method === 'GET') return withNote(target, '#', getCurl(target, sent))
  const lines = [
    `curl -i -X ${target.method ?? 'POST'} ${quoteShell(startAddress(target))}`,
    ...keyArgument(target),
    ...secretArgument(target),
    `-H ${quoteShell(`content-type: ${contentType(sent)}`)}`,
    // With -d a body that begins with @ would be the name of a file.
    `${sent.startsWith('@') ? '--data-raw' : '-d'} ${quoteShell(sent)}`
  ]
  return withNote(target, '#', lines.join(' \\\n  '))
}

/** Of a GET the query is the payload: an object of plain values can be written so. */
function getCurl(target: CallTarget, body: string): string {
  return [
    `curl -i ${quoteShell(calledAddress(target, body))}`,
    ...keyArgument(target),
    ...secretArgument(target)
  ].join(' \\\n  ')
}

function calledAddress(target: CallTarget, body: string): string {
  const query = target.method === 'GET' ? queryOf(body) : ''
  return startAddress(target) + (query === '' ? '' : `?${query}`)
}

function queryOf(body: string): string {
  const value = literalValue(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  const plain = Object.entries(value).filter(([, each]) => typeof each !== 'object' || each === null)
  return String(
    new URLSearchParams(plain.map(([name, each]): [string, string] => [name, String(each ?? '')]))
  )
}

/** The secret is read from the environment: what is copied, and stored in a history, holds none. */
function signedCurl(target: CallTarget, body: string, { setUp, headers }: ShellSignature): string {
  const lines = [
    `curl -i -X ${target.method ?? 'POST'} ${quoteShell(startAddress(target))}`,
    `-H ${quoteShell(`content-type: ${contentType(body)}`)}`,
    ...headers.map((header) => `-H "${header}"`),
    '--data-raw "$BODY"'
  ]
  return [
    '# This webhook takes signed requests only: SIGNING_SECRET is the secret that the sender signs with.',
    `BODY=${quoteShell(body)}`,
    ...setUp,
    lines.join(' \\\n  ')
  ].join('\n')
}

/** The command that tells how a run is going. */
export function statusCurl(target: CallTarget, run?: string): string {
  const address = `${target.address.replace(/\/+$/, '')}/api/v1/runs/`
  const word =
    run === undefined
      ? quoteShellWithVariable(address, 'RUN_ID')
      : quoteShell(address + encodeURIComponent(run))
  return [`curl -s ${word}`, ...keyArgument({ ...target, auth: 'API key' })].join(' \\\n  ')
}

/** For Node and every other place that has `fetch`. */
export function javaScriptCall(target: CallTarget, body: string = FIRST_BODY): string {
  const sent = sendable(body)
  const value = literalValue(sent)
  const key = target.key === undefined ? `process.env.${KEY_VARIABLE}` : quoteJavaScript(target.key)
  const secret = `process.env.${SECRET_VARIABLE}`
  const pair = `'Basic ' + btoa(${quoteJavaScript(`${target.basicUser ?? ''}:`)} + ${secret})`
  const isGet = target.method === 'GET'
  const headers = [
    ...(isGet ? [] : [`'content-type': ${quoteJavaScript(contentType(sent))}`]),
    ...(target.auth === 'API key' ? [`'x-api-key': ${key}`] : []),
    ...(target.auth === 'Token' ? [`${quoteJavaScript(tokenHeaderOf(target))}: ${secret}`] : []),
    ...(target.auth === 'Basic' ? [`authorization: ${pair}`] : [])
  ]
  const text =
    value === undefined ? quoteJavaScript(sent) : `JSON.stringify(${javaScriptLiteral(value, '  ')})`
  const lines = [
    `const response = await fetch(${quoteJavaScript(calledAddress(target, sent))}, {`,
    `  method: '${target.method ?? 'POST'}',`,
    `  headers: { ${headers.join(', ')} }${isGet ? '' : ','}`,
    ...(isGet ? [] : [`  body: ${text}`]),
    '})',
    'console.log(response.status, await response.json())'
  ]
  return withNote(target, '//', lines.join('\n'))
}

/** With what every Python 3 brings along: nothing has to be installed. */
export function pythonCall(target: CallTarget, body: string = FIRST_BODY): string {
  const sent = sendable(body)
  const value = literalValue(sent)
  const isFromEnvironment =
    (target.auth === 'API key' && target.key === undefined) ||
    target.auth === 'Token' ||
    target.auth === 'Basic'
  const key = target.key === undefined ? `os.environ['${KEY_VARIABLE}']` : quotePython(target.key)
  const secret = `os.environ['${SECRET_VARIABLE}']`
  const pair = `base64.b64encode((${quotePython(`${target.basicUser ?? ''}:`)} + ${secret}).encode()).decode()`
  const isGet = target.method === 'GET'
  const headers = [
    ...(isGet ? [] : [`'content-type': ${quotePython(contentType(sent))}`]),
    ...(target.auth === 'API key' ? [`'x-api-key': ${key}`] : []),
    ...(target.auth === 'Token' ? [`${quotePython(tokenHeaderOf(target))}: ${secret}`] : []),
    ...(target.auth === 'Basic' ? [`'authorization': 'Basic ' + ${pair}`] : [])
  ]
  const data = value === undefined ? quotePython(sent) : `json.dumps(${pythonLiteral(value, '    ')})`
  const lines = [
    ...(target.auth === 'Basic' ? ['import base64'] : []),
    'import json',
    ...(isFromEnvironment ? ['import os'] : []),
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${quotePython(calledAddress(target, sent))},`,
    // A request with data is a POST, and one without it a GET.
    ...(isGet ? [] : [`    data=${data}.encode(),`]),
    ...(isGet || (target.method ?? 'POST') === 'POST' ? [] : [`    method='${target.method}',`]),
    `    headers={${headers.join(', ')}},`,
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, json.load(response))'
  ]
  return withNote(target, '#', lines.join('\n'))
}

function keyArgument(target: CallTarget): string[] {
  if (target.auth !== 'API key') return []
  const header = 'x-api-key: '
  return [
    `-H ${target.key === undefined ? quoteShellWithVariable(header, KEY_VARIABLE) : quoteShell(header + target.key)}`
  ]
}

/** The secret is read from the environment. */
function secretArgument(target: CallTarget): string[] {
  if (target.auth === 'Token')
    return [`-H ${quoteShellWithVariable(`${tokenHeaderOf(target)}: `, SECRET_VARIABLE)}`]
  if (target.auth === 'Basic')
    return [`-u ${quoteShellWithVariable(`${target.basicUser ?? ''}:`, SECRET_VARIABLE)}`]
  return []
}

function tokenHeaderOf({ tokenHeader = '' }: CallTarget): string {
  return tokenHeader.trim() === '' ? 'authorization' : tokenHeader.trim()
}

const NOTES: Readonly<Partial<Record<WebhookAuth, string>>> = {
  Signature: 'This webhook takes signed requests only: the sender signs the body with the signing secret.',
  Token: `${SECRET_VARIABLE} is the secret of the sender, which it sends as a token.`,
  Basic: `${SECRET_VARIABLE} is the secret of the sender, which it sends as its password.`
}

function withNote({ auth }: CallTarget, comment: string, snippet: string): string {
  const note = NOTES[auth]
  return note === undefined ? snippet : `${comment} ${note}\n${snippet}`
}

function contentType(body: string): string {
  try {
    JSON.parse(body)
    return 'application/json'
  } catch {
    return 'text/plain'
  }
}

/** No command line can hold a zero character, and no body half an emoji. */
function sendable(body: string): string {
  return body.replaceAll('\0', '').toWellFormed()
}
