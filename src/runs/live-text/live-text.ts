import type { SecretSpellings } from '../../connections/redaction/secret-spellings.ts'
import { StreamRedactor } from '../../connections/redaction/stream-redactor.ts'
import type { StepCall } from '../../engine/effects.ts'
import type { ExecutableRun } from '../../store/store.ts'
import type { TextStream } from './text-stream.ts'
import type { TextStreams } from './text-streams.ts'

/** The text that the steps of one run put out while they work. Few runs have any: nothing is made before. */
export class LiveText {
  readonly #run: Pick<ExecutableRun, 'id' | 'flowId'>
  readonly #streams: TextStreams
  #open: Map<StepCall, TextStream> | undefined

  constructor(run: Pick<ExecutableRun, 'id' | 'flowId'>, streams: TextStreams) {
    this.#run = run
    this.#streams = streams
  }

  /** `spellings` are those of the secrets that the step has opened so far. */
  streamOf(call: StepCall, spellings: () => SecretSpellings): Pick<TextStream, 'emit'> {
    this.#open ??= new Map()
    const stream = this.#open.get(call) ?? this.#streams.open(call, this.#run, new StreamRedactor(spellings))
    this.#open.set(call, stream)
    return stream
  }

  /** Hot: once per step. */
  over(call: StepCall, how: 'returned' | 'failed'): void {
    if (this.#open === undefined) return
    const stream = this.#open.get(call)
    if (how === 'returned') stream?.end()
    else stream?.drop()
    this.#open.delete(call)
  }
}

/** Nobody hears what hooks put out after the end of a run. */
export const NO_LIVE_TEXT: Pick<LiveText, 'streamOf' | 'over'> = {
  streamOf: () => ({ emit: () => {} }),
  over: () => {}
}
