import type { CompiledSchema } from '../../../components/schema/compile-schema.ts'
import { MillraceError } from '../../../errors.ts'
import type { Turns } from '../../../flows/in-turns.ts'
import { readPayloadInTurns } from '../../../flows/json/read-payload.ts'

/** Holds a payload against the schema of its Webhook, in turns and in bounded work whatever either holds. A file is the object that stands for it. */
export function* checkPayload(schema: CompiledSchema, input: Uint8Array): Turns<void> {
  const payload = yield* readPayloadInTurns(input)
  const errors = yield* schema.judge(payload, 'The payload')
  if (errors.length > 0) throw new MillraceError('payload_invalid', toldFirst(errors), { errors })
}

function toldFirst([first, ...others]: readonly { readonly message: string }[]): string {
  if (others.length === 0) return first!.message
  return `${first!.message} There ${others.length === 1 ? 'is one more fault' : `are ${others.length} more faults`}: see errors.`
}
