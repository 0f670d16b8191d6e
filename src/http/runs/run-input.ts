import type { FastifyReply } from 'fastify'
import { MillraceError } from '../../errors.ts'
import { isPlainObject, type JsonValue, writeJson } from '../../flows/json/exact-json.ts'
import { escapePointer } from '../../flows/json/json-pointer.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { Runs } from '../../runs/runs.ts'
import type { StoredRun } from '../../store/store.ts'
import { sendJson } from '../send-json.ts'

/** What a run is started with where the caller waits for its end. */
export const Input = Type.Object(
  {
    input: Type.Optional(
      Type.Unknown({ description: 'The payload, any JSON value; null where it is left out' })
    )
  },
  { additionalProperties: false }
)

/** What a run that is started again has in common with the one before, besides its payload. */
export function againOf({ trigger, request, session, id: replayOf }: StoredRun) {
  return { trigger, request, session, replayOf }
}

export async function sendRun(reply: FastifyReply, runs: Runs, run: StoredRun): Promise<FastifyReply> {
  return sendJson(reply, await runs.present(run), runs.readPiece)
}

export function toBytes(value: JsonValue): Uint8Array {
  return Buffer.from(writeJson(value))
}

/** Another member is a payload without its frame, or a slip of the pen: run without it, it would seem to be lost. */
export function inputOf(
  body: { input?: JsonValue } | undefined,
  besides: readonly string[] = []
): JsonValue | undefined {
  if (body === undefined) return undefined
  if (!isPlainObject(body)) throw new MillraceError('invalid_request', 'Send the payload as {"input": …}.')
  const [unknown] = Object.keys(body).filter((name) => name !== 'input' && !besides.includes(name))
  if (unknown === undefined) return body.input
  const message = `The body has an unknown member ${JSON.stringify(unknown)}. Send the payload as {"input": …}.`
  throw new MillraceError('invalid_request', message, {
    errors: [{ code: 'unknown_member', path: `/${escapePointer(unknown)}`, message }]
  })
}
