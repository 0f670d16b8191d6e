import { StepError } from '../../engine/step-error.ts'
import type { IncomingAnswer, OpenConnection, OutgoingRequest } from '../../flows/step/step-connection.ts'
import { listModels } from '../models/list-models.ts'
import { presetOf } from '../presets/presets.ts'
import { tryPreset } from './try-preset.ts'

/** Any answer shows that somebody is there; 401 and 403 that they do not let us in. */
export async function callService(connection: OpenConnection): Promise<string> {
  const preset = presetOf(connection.settings.preset)
  if (preset !== undefined) return tryPreset(connection, preset)
  const answer = await send(connection, '')
  await answer.discard()
  if (isRefusal(answer)) throw refusedSignIn(answer)
  const { auth = 'none' } = connection.settings
  const said = auth === 'none' ? 'It was asked without signing in.' : 'It did not refuse the sign-in.'
  return `${answered(answer)} ${said}`
}

/** Whatever it says: a request that is not an event, and not signed, may well be refused. */
export async function knockAtReceiver(connection: OpenConnection): Promise<string> {
  if (connection.settings.url === undefined) {
    return 'It has a signing secret. Its sender calls Millrace, so there is no address to try.'
  }
  const answer = await send(connection, '', { method: 'HEAD' })
  await answer.discard()
  return `${answered(answer)} It was asked with HEAD; no event was sent.`
}

/** `ping` is part of the protocol and changes nothing. */
export async function callMcpServer(connection: OpenConnection): Promise<string> {
  const answer = await send(connection, '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  })
  await answer.discard()
  if (isRefusal(answer)) throw refusedSignIn(answer)
  if (answer.status === 404) throw failed(`${answered(answer)} Check the path of the address.`)
  const isWithout = connection.secrets.token === undefined && connection.settings.auth !== 'oauth2'
  return `${answered(answer)} ${isWithout ? 'It was asked without a token.' : 'It did not refuse the token.'}`
}

export async function countModels(connection: OpenConnection): Promise<string> {
  const { length } = (await listModels(connection)).filter(({ writesText }) => writesText)
  return `It offers ${length} ${length === 1 ? 'model' : 'models'}.`
}

/** A redirect is an answer: where it leads is not what was to be tried. */
function send(
  connection: OpenConnection,
  url: string,
  request: OutgoingRequest = {}
): Promise<IncomingAnswer> {
  return connection.request(url, { ...request, redirect: 'manual' })
}

function answered({ status, url }: IncomingAnswer): string {
  return `${new URL(url).origin} answered ${status}.`
}

function isRefusal({ status }: IncomingAnswer): boolean {
  return status === 401 || status === 403
}

function refusedSignIn(answer: IncomingAnswer): StepError {
  return failed(
    `${answered(answer)} It does not take the sign-in: check the kind of authentication and its secret.`
  )
}

function failed(message: string): StepError {
  return new StepError(message, { code: 'connection_refused' })
}
