import type { Clock } from '../../clock.ts'
import { type WatchedItem, watchedItems } from '../../components/http/watched-items.ts'
import type { DocumentReader } from '../../documents/document-reader.ts'
import { StepError } from '../../engine/step-error.ts'
import { inTurns } from '../../flows/in-turns.ts'
import type { JsonValue } from '../../flows/json/exact-json.ts'
import { AnswerPace } from '../../runs/present/answer-pace.ts'
import { liveNode, type Reach } from '../../runs/steps/live-node.ts'
import { stepDocuments } from '../../runs/steps/step-documents.ts'
import type { EditedTrigger } from '../trigger-nodes.ts'

interface LookDeps {
  readonly clock: Clock
  readonly outside: Reach
  readonly documents: Pick<DocumentReader, 'read' | 'limits'>
  /** With the variables of its context filled in. */
  readonly fieldsOf: (trigger: EditedTrigger) => Readonly<Record<string, JsonValue>>
  readonly variablesOf: (context: string) => Readonly<Record<string, JsonValue>>
}

/** From the request to the list, whoever answers. */
const LONGEST_MS = 60_000
const OUTPUT_LIMIT = { bytes: 16 * 1024 ** 2, of: 'step', most: 16 * 1024 ** 2 } as const

/** Looks at what a trigger watches, as a step of its flow would: by the connections of its context, and no further than its steps reach. */
export async function lookOutside(
  deps: LookDeps,
  trigger: EditedTrigger,
  signal: AbortSignal
): Promise<readonly WatchedItem[]> {
  const abort = new AbortController()
  const timer = deps.clock.startTimer(LONGEST_MS, () => abort.abort(tooSlow()))
  const end = () => abort.abort(signal.reason)
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  try {
    return await listOf(deps, trigger, abort)
  } finally {
    timer.stop()
    signal.removeEventListener('abort', end)
  }
}

async function listOf(
  { clock, outside, documents, fieldsOf, variablesOf }: LookDeps,
  trigger: EditedTrigger,
  abort: AbortController
): Promise<readonly WatchedItem[]> {
  const { flow, node } = trigger
  const { id, slug, version, context } = flow
  const fields = fieldsOf(trigger)
  const live = liveNode({ node: node.id, flow: { id, version, context }, fields }, outside, abort.signal)
  const { secrets } = live
  const pacer = new AnswerPace(clock)
  const readDocuments = stepDocuments({
    call: { abort },
    run: { flowId: id },
    context,
    documents,
    outputLimit: () => OUTPUT_LIMIT,
    pause: () => () => pacer.pause()
  })
  try {
    const items = await watchedItems({
      fields,
      variables: { ...variablesOf(context), flow: { slug }, now: new Date(clock.now()).toISOString() },
      send: live.request,
      connection: live.node.connection,
      readDocuments,
      pacer
    })
    if (secrets.isEmpty) return items
    return (await inTurns(secrets.redactInTurns(items), pacer)) as WatchedItem[]
  } catch (error) {
    // What was cut off by its end says less than why it was ended.
    if (abort.signal.aborted) throw abort.signal.reason
    throw secrets.isEmpty ? error : secrets.redactError(error)
  }
}

function tooSlow(): StepError {
  return new StepError(
    `The list was not there after ${LONGEST_MS / 1000} seconds. Ask for less with Query, or whoever runs it.`,
    { code: 'watch_timeout', retryable: true }
  )
}
