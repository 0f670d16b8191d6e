import type { Clock } from '../clock.ts'
import type { ModelAnswer } from '../components/language-model/ask-model.ts'
import { boundedWords, StepError, toldWords } from '../engine/step-error.ts'
import { MillraceError, messageOf } from '../errors.ts'
import type { Spending } from '../runs/costs/spending.ts'
import { type AssistantModel, type ChosenModel, type ModelDeps, openModel } from './ask-model.ts'
import { Conversation, type EarlierTurn } from './conversation.ts'
import { type AssistantUsage, type Converse, Converser, type Proposal } from './converse.ts'

interface AssistantDeps extends ModelDeps {
  readonly spending: Pick<Spending, 'payFor'>
  readonly clock: Pick<Clock, 'startTimer'>
  readonly onError: (error: unknown, doing: string) => void
}

export interface AssistantTask extends ChosenModel, Pick<Converse, 'document' | 'looks' | 'judge'> {
  readonly flowId: string
  /** All that it is told before the question. */
  readonly system: string
  readonly before: readonly EarlierTurn[]
  readonly question: string
}

interface AssistantListener {
  readonly doing: (what: string) => void
  readonly text: (text: string) => void
  readonly restart: () => void
}

interface AssistantEnd {
  readonly status: 'proposed' | 'answered' | 'failed'
  readonly text: string
  /** Also of one that failed: as far as it came. */
  readonly proposal: Proposal | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly usage: AssistantUsage
}

const LONGEST_MS = 5 * 60_000
/** At a time: each holds a stream and what was said. */
const MOST_OF_KEY = 2
const MOST = 16
const RETRY_AFTER_MS = 1_000
const LONGEST_RETRY_MS = 20_000

/** Drives a model that proposes changes of a flow. It keeps nothing, and changes nothing: what it comes to is an answer. */
export class Assistant {
  readonly #deps: AssistantDeps
  readonly #underWay = new Map<AbortController, string>()

  constructor(deps: AssistantDeps) {
    this.#deps = deps
  }

  /** Takes a place for what this key asks, and tells how to leave it. */
  enter(keyId: string): { readonly signal: AbortSignal; leave(): void; end(why: unknown): void } {
    const ofKey = [...this.#underWay.values()].filter((id) => id === keyId).length
    if (ofKey >= MOST_OF_KEY || this.#underWay.size >= MOST) throw busy(ofKey >= MOST_OF_KEY)
    const end = new AbortController()
    this.#underWay.set(end, keyId)
    return {
      signal: end.signal,
      leave: () => void this.#underWay.delete(end),
      end: (why) => end.abort(why)
    }
  }

  /** Never throws: what went wrong is how it ended. */
  async run(task: AssistantTask, listener: AssistantListener, signal: AbortSignal): Promise<AssistantEnd> {
    const ending = new AbortController()
    const forward = () => ending.abort(signal.reason)
    if (signal.aborted) forward()
    else signal.addEventListener('abort', forward, { once: true })
    const timer = this.#deps.clock.startTimer(LONGEST_MS, () => ending.abort(outOfTime()))
    let converser: Converser | undefined
    try {
      const { document, looks, judge, system, before, question } = task
      const conversation = new Conversation(system, before, question)
      const { doing, restart } = listener
      const model = this.#patient(
        this.#modelOf(task, listener, ending.signal, () => converser?.usage.cost),
        ending.signal
      )
      converser = new Converser({ document, looks, judge, conversation, model, doing, restart })
      const ended = await untilAborted(converser.run(), ending.signal)
      const status = ended.proposal === null ? 'answered' : 'proposed'
      return { status, ...ended, error: null, usage: converser.usage }
    } catch (error) {
      const usage = converser?.usage ?? NOTHING_USED
      const proposal = converser?.proposal ?? null
      return { status: 'failed', text: '', proposal, error: this.#errorOf(error, ending.signal), usage }
    } finally {
      timer.stop()
      signal.removeEventListener('abort', forward)
      // What came too late is not waited for.
      ending.abort()
    }
  }

  /** Those under way end where they are. */
  stop(): void {
    for (const end of this.#underWay.keys()) end.abort(stopping())
  }

  #modelOf(
    task: AssistantTask,
    { text: onText }: AssistantListener,
    signal: AbortSignal,
    spent: () => number | null | undefined
  ): AssistantModel {
    const { context, flowId } = task
    const { spending } = this.#deps
    return openModel(this.#deps, task, {
      signal,
      onText,
      payFor: (call) =>
        spending.payFor({ context, flowId, runSeq: undefined, spentSoFar: spent() ?? 0 }, call)
    })
  }

  /** What a provider is too busy for is asked once more. */
  #patient(model: AssistantModel, signal: AbortSignal): AssistantModel {
    const ask: AssistantModel['ask'] = async (...asked): Promise<ModelAnswer> => {
      try {
        return await model.ask(...asked)
      } catch (error) {
        if (signal.aborted || !(error instanceof StepError) || !error.retryable) throw error
        const wait = error.retryAfterMs ?? RETRY_AFTER_MS
        if (wait > LONGEST_RETRY_MS) throw error
        await this.#after(wait, signal)
        return model.ask(...asked)
      }
    }
    return { ask }
  }

  #after(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.#deps.clock.startTimer(ms, resolve)
      const leave = () => {
        timer.stop()
        reject(signal.reason)
      }
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    })
  }

  #errorOf(thrown: unknown, signal: AbortSignal): { code: string; message: string } {
    const error = signal.aborted ? signal.reason : thrown
    if (error instanceof StepError && error.code === 'output_too_large') return TOO_LARGE
    if (error instanceof StepError || error instanceof MillraceError)
      return { code: error.code ?? 'failed', message: toldWords(boundedWords(error.message)) }
    this.#deps.onError(error, `the assistant: ${messageOf(error)}`)
    return { code: 'internal_error', message: 'The assistant failed. The log of the service says why.' }
  }
}

/** What is said of a step would send people to the limits of a context. */
const TOO_LARGE = {
  code: 'output_too_large',
  message:
    'The model has said more than 256 kB at once, and was not read any further. Ask for less at once, or choose another model.'
}

const NOTHING_USED: AssistantUsage = { calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 }

/** A provider that holds a socket open must not hold this. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const reject = () => aborted.reject(signal.reason)
  if (signal.aborted) reject()
  else signal.addEventListener('abort', reject, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', reject)
    work.catch(() => {})
  }
}

function busy(isOfKey: boolean): MillraceError {
  const who = isOfKey ? `This key has asked ${MOST_OF_KEY} things already` : 'Others are asking'
  return new MillraceError('assistant_limited', `${who}. Wait for an answer, or stop one, and ask again.`, {
    headers: { 'retry-after': '10' }
  })
}

export function leftByCaller(): StepError {
  return new StepError('Whoever asked has gone.', { code: 'assistant_stopped', retryable: false })
}

function stopping(): StepError {
  return new StepError('The service stops. Ask again when it is back.', {
    code: 'stopping',
    retryable: false
  })
}

function outOfTime(): StepError {
  return new StepError(
    `The assistant was not done after ${LONGEST_MS / 60_000} minutes. Ask for less at once, or choose a faster model.`,
    { code: 'assistant_out_of_time', retryable: false }
  )
}
