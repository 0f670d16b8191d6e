import { StepError } from '../../engine/step-error.ts'
import { isPlainObject, type JsonValue } from '../../flows/json/exact-json.ts'
import type { IncomingAnswer, OpenConnection } from '../../flows/step/step-connection.ts'
import { compilePath } from '../../flows/template/compile-path.ts'
import type { Preset } from '../presets/preset.ts'

/** More of an answer is not needed to see whether it is one. */
const MOST_BYTES = 256 * 1024

/** By the request that its preset names: one that needs the sign-in, and changes nothing. */
export async function tryPreset(connection: OpenConnection, preset: Preset): Promise<string> {
  const { method, path, body, statuses, ok } = preset.try
  const answer = await connection.request(path, {
    method,
    redirect: 'manual',
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
  })
  const said = await beginningOf(answer)
  const isGood = statuses === undefined ? answer.status < 300 : statuses.includes(answer.status)
  const where = `${preset.name} answered ${answer.status} to ${method} ${path === '' ? '/' : path}`
  if (!isGood) throw refused(`${where} and said: ${shortened(said)}`, preset)
  if (ok !== undefined && !holds(ok, said)) throw refused(`${where}, but said: ${shortened(said)}`, preset)
  return `${where}. It takes the sign-in.`
}

function holds({ field, is }: NonNullable<Preset['try']['ok']>, said: string): boolean {
  const answer = jsonIn(said)
  const value = isPlainObject(answer) ? compilePath(field).read(answer) : undefined
  return is === undefined ? value !== undefined && value !== null : value === is
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

async function beginningOf(answer: IncomingAnswer): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.body) {
    pieces.push(piece)
    bytes += piece.byteLength
    if (bytes > MOST_BYTES) break
  }
  await answer.discard()
  return Buffer.concat(pieces).toString('utf8').slice(0, MOST_BYTES)
}

function shortened(said: string): string {
  return said.trim() === '' ? 'nothing' : said.trim().slice(0, 300)
}

function refused(message: string, { key }: Preset): StepError {
  return new StepError(`${message}. Check the address and the key: ${key.url}`, {
    code: 'connection_refused'
  })
}
