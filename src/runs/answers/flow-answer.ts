import type { Ending } from '../../engine/effects.ts'
import { recall } from '../../engine/journal.ts'
import type { RecordedAnswer, StepRecord } from '../../engine/step-record.ts'
import { inTurns, type Pacer, type Turns } from '../../flows/in-turns.ts'
import { writeJson } from '../../flows/json/exact-json.ts'
import { isJsonBytes } from '../../flows/json/json-bytes.ts'
import { shortWeight } from '../../flows/json/json-pieces.ts'
import { isLongValue, type LongValue } from '../../flows/json/long-value.ts'
import type { StepAnswer } from '../../flows/step/step-answer.ts'
import type { EndStatus, Outcome, StoredRun } from '../../store/store.ts'
import { answerIn, decodeEntry } from '../record/journal-codec.ts'
import { shownStart } from '../record/shown-start.ts'
import { stepsInTurns } from '../record/step-codec.ts'
import { loadLong, piecesOf, type ReadPiece } from '../steps/long-values.ts'

/** What a run has for whoever called its flow: what a step answered, what its Return got, or how it ended without either. */
export type FlowAnswer =
  | { readonly by: 'step'; readonly answer: StepAnswer }
  /** JSON. */
  | { readonly by: 'return'; readonly body: string | Uint8Array }
  | { readonly by: 'end'; readonly status: EndStatus }

/** Of a run that has ended and is about to be written; undefined where it takes a look into the store to tell. */
export function answerOfEnding(
  { steps }: Pick<Extract<Ending, { kind: 'ended' }>, 'steps'>,
  { status }: Pick<Outcome, 'status'>
): FlowAnswer | undefined {
  const answer = answerIn(steps)
  // One that was read back, of a run that goes on, may be long, and then is not at hand.
  if (answer !== undefined)
    return isLongValue(answer.body) ? undefined : { by: 'step', answer: { ...answer, body: answer.body } }
  const returned = status === 'succeeded' ? returnIn(steps) : undefined
  if (returned === undefined) return { by: 'end', status }
  const { data } = returned
  // Of what is long the text is in the store by then, and is not to be made a second time.
  return shortWeight(data) === undefined ? undefined : { by: 'return', body: writeJson(data) }
}

/** Of a run as it is in the store; undefined while it has none. */
export async function answerOfRun(
  run: StoredRun,
  readPiece: ReadPiece,
  pace: Pacer
): Promise<FlowAnswer | undefined> {
  const found = await inTurns(findAnswer(run), pace)
  if (found === undefined || found.by === 'end') return found
  if (found.by === 'step') {
    const { body } = found.answer
    const text = isLongValue(body) ? await loadLong(body, readPiece) : body
    return { by: 'step', answer: { ...found.answer, body: text as string } }
  }
  const { data } = found
  if (isJsonBytes(data)) return { by: 'return', body: data.bytes }
  return { by: 'return', body: isLongValue(data) ? await piecesTogether(data, readPiece) : writeJson(data) }
}

type Found =
  | { readonly by: 'step'; readonly answer: RecordedAnswer }
  | { readonly by: 'return'; readonly data: unknown }
  | { readonly by: 'end'; readonly status: EndStatus }

function* findAnswer(run: StoredRun): Turns<Found | undefined> {
  const start = yield* shownStart(run)
  if (run.outcome === null) {
    const { settled, answered } = recall(run.journal.map((entry) => decodeEntry(entry, start)))
    const answer = answered?.answer ?? answerIn(settled.values())
    return answer && { by: 'step', answer }
  }
  const { status } = run.outcome
  const steps = yield* stepsInTurns(run.outcome.steps, start)
  const answer = answerIn(steps)
  if (answer !== undefined) return { by: 'step', answer }
  const returned = status === 'succeeded' ? returnIn(steps) : undefined
  return returned === undefined ? { by: 'end', status } : { by: 'return', ...returned }
}

async function piecesTogether(value: LongValue, readPiece: ReadPiece): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of piecesOf(value, readPiece)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Undefined where no Return was reached; what it got may be silence, which is null. */
function returnIn(steps: readonly StepRecord[]): { readonly data: unknown } | undefined {
  const step = steps.find(({ type, status }) => type === 'return' && status === 'succeeded')
  return step && { data: step.outputs?.data ?? null }
}
