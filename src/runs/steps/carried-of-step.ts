import type { OpenedSecrets } from '../../connections/opened-secrets.ts'
import { inTurns, type Pacer } from '../../flows/in-turns.ts'
import { type JsonValue, MAX_DEPTH } from '../../flows/json/exact-json.ts'
import { parseJsonInTurns } from '../../flows/json/parse-json-in-turns.ts'
import type { Carried } from '../../flows/step/step-carried.ts'
import type { RunRef, RunStore } from '../../store/store.ts'
import { encodeLong } from './long-values.ts'

type Pieces = Pick<RunStore, 'keepPiece' | 'readPiece'>

/** Of what has no steps in the store. */
export const NO_PIECES: Pieces = { keepPiece: async () => false, readPiece: async () => undefined }

interface CarriedDeps {
  readonly run: RunRef
  /** Another one after each change of the inputs. */
  readonly name: string
  readonly attempt: number
  readonly pieces: Pieces
  readonly persist: <T>(ask: () => Promise<T>) => Promise<T>
  readonly pacer: Pacer
  /** What the attempt has opened so far: none of that is stored. */
  readonly secrets: () => OpenedSecrets | undefined
}

/** What each piece begins with: whether the value goes on in the next one. */
const GOES_ON = 43
const IS_WHOLE = 46

/** Values of a step that has not ended, kept beside the long ones of its run, piece after piece. */
export class CarriedOfStep implements Carried {
  readonly #deps: CarriedDeps
  /** Where the next value goes. */
  #next = 0

  constructor(deps: CarriedDeps) {
    this.#deps = deps
  }

  async earlier(): Promise<readonly JsonValue[]> {
    if (this.#deps.attempt === 1 || this.#next > 0) return []
    const values: JsonValue[] = []
    let texts: Uint8Array[] = []
    for (let piece = 0; ; piece++) {
      const bytes = await this.#read(piece)
      // An empty one ends what was left before the list was begun anew.
      if (bytes === undefined || bytes.byteLength === 0) return values
      texts.push(bytes.subarray(1))
      if (bytes[0] === GOES_ON) continue
      const text = Buffer.concat(texts).toString()
      values.push(
        await inTurns(parseJsonInTurns(text, MAX_DEPTH, Number.POSITIVE_INFINITY), this.#deps.pacer)
      )
      texts = []
      this.#next = piece + 1
    }
  }

  async add(value: JsonValue, isFirst: boolean): Promise<void> {
    const { secrets, pacer } = this.#deps
    if (isFirst) await this.#beginAnew()
    const opened = secrets()
    const told = opened === undefined ? value : await inTurns(opened.redactInTurns(value), pacer)
    const { pieces } = await inTurns(encodeLong(told, Number.POSITIVE_INFINITY), pacer)
    const from = this.#next
    // The end comes first, and what it begins with last: cut off in between, the list ends before this value.
    if (this.#mayHaveMore) await this.#keep(from + pieces.length, NOTHING)
    for (let at = pieces.length - 1; at >= 0; at--) {
      const mark = at === pieces.length - 1 ? IS_WHOLE : GOES_ON
      await this.#keep(from + at, Buffer.concat([Buffer.from([mark]), pieces[at]!]))
    }
    this.#next = from + pieces.length
  }

  async #beginAnew(): Promise<void> {
    this.#next = 0
    if (this.#mayHaveMore) await this.#keep(0, NOTHING)
  }

  get #mayHaveMore(): boolean {
    return this.#deps.attempt > 1
  }

  #read(piece: number): Promise<Uint8Array | undefined> {
    const { run, name, pieces, persist } = this.#deps
    return persist(() => pieces.readPiece(run.seq, name, piece))
  }

  async #keep(piece: number, bytes: Uint8Array): Promise<void> {
    const { run, name, pieces, persist } = this.#deps
    await persist(() => pieces.keepPiece(run, { name, piece, bytes }))
  }
}

const NOTHING = new Uint8Array()
