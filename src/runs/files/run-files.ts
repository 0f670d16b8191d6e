import { isWithin } from '../../contexts/context-path.ts'
import type { ByteRange } from '../../files/file-place.ts'
import type { AboutFile, Files, NewFile } from '../../files/files.ts'
import { fileIdsIn } from '../../flows/file-ids.ts'
import type { NamedFiles, StoredFile } from '../../store/files.ts'
import type { ExecutableRun, Store } from '../../store/store.ts'
import { isInside } from '../children/run-result.ts'
import { idsSentIn, wasSentWith } from './sent-ids.ts'

interface RunFilesDeps {
  readonly files: Files
  readonly store: Pick<Store, 'files' | 'runs'>
  readonly now: () => number
}

/** Who asks for a file: a run, and the context that its flow lives in. */
export interface FileReader {
  readonly run: Pick<ExecutableRun, 'id' | 'seq' | 'flowId' | 'trigger' | 'input' | 'request' | 'parent'>
  readonly context: string
  /** Of a node that is tried out, which belongs to no run: what whoever tries it may read. */
  readonly given?: readonly string[]
}

/** A file that a run may open. */
interface Found {
  readonly file: StoredFile
  /** The run does not name it yet, and may open it for its context. */
  readonly isNew: boolean
}

/** Runs are numbered from 1: a node that is tried out has this number. */
const NO_RUN = 0

/** A call may be full of ids: a commit takes so many. */
const NOTED_AT_ONCE = 1_000

/**
 * Which files runs name and may open: those that came with one of its family or were made there; and those of contexts that the flow
 * sees, unless the id came in from outside. To know an id, or to send it, opens nothing.
 */
export class RunFiles {
  readonly #deps: RunFilesDeps

  constructor(deps: RunFilesDeps) {
    this.#deps = deps
  }

  async find(id: string, reader: FileReader): Promise<Found | undefined> {
    const { store } = this.#deps
    const file = await store.files.get(id)
    if (file === undefined) return undefined
    if ((await this.#named(reader, [id])).length > 0) return { file, isNew: false }
    if (!isWithin(reader.context, file.context) || (await this.#wasSent(id, reader))) return undefined
    return { file, isNew: true }
  }

  /** Of the files that a payload names, those that the run may open: whoever is given the payload may open them too. */
  async givenBy(reader: FileReader, payload: Uint8Array): Promise<string[]> {
    const given: string[] = []
    for (const id of fileIdsIn(payload)) if ((await this.find(id, reader)) !== undefined) given.push(id)
    return given
  }

  /** What its steps have put out names these: they are its own from here on, as far as it may open them. */
  async nameFound(reader: FileReader, ids: readonly string[]): Promise<void> {
    const known = await this.#named(reader, ids)
    const uses: string[] = []
    for (const id of ids) {
      if (known.includes(id)) continue
      if ((await this.find(id, reader))?.isNew === true) uses.push(id)
    }
    if (uses.length > 0) await this.name(reader.run, { uses })
  }

  /** Of the files that a payload names, those that the run names too. */
  async namedAgain(run: Pick<ExecutableRun, 'seq'>, payload: Uint8Array): Promise<string[]> {
    const ids = fileIdsIn(payload)
    return ids.length === 0 ? [] : this.#deps.store.files.usedIn(run.seq, ids)
  }

  /** To be called before the run goes on with what a call, or an answer, sends to it. */
  async noteSent(run: Pick<ExecutableRun, 'seq'>, sent: unknown): Promise<void> {
    const ids = idsSentIn(sent)
    for (let at = 0; at < ids.length; at += NOTED_AT_ONCE)
      await this.#deps.store.files.noteSent(run.seq, ids.slice(at, at + NOTED_AT_ONCE))
  }

  keep(bytes: AsyncIterable<Uint8Array>, about: AboutFile): Promise<NewFile> {
    return this.#deps.files.keep(bytes, about)
  }

  letGo(files: readonly NewFile[]): Promise<void> {
    return this.#deps.files.letGo(files)
  }

  /** From here on the run names them. */
  async name(run: Pick<ExecutableRun, 'seq' | 'flowId'>, named: NamedFiles): Promise<void> {
    const { store, now } = this.#deps
    if (run.seq !== NO_RUN) await store.files.use(run, named, now())
    else for (const file of named.files ?? []) await store.files.add(file, now())
  }

  /** To be called when they are named. */
  stored(files: readonly NewFile[]): Promise<void> {
    return this.#deps.files.stored(files)
  }

  read(name: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    return this.#deps.files.read(name, range)
  }

  async #named({ run, given = [] }: FileReader, ids: readonly string[]): Promise<string[]> {
    if (run.seq === NO_RUN) return ids.filter((id) => given.includes(id))
    return this.#deps.store.files.usedIn(run.seq, ids)
  }

  /** What starts an item was sent to the run above it; calls may have come to any of the family. */
  async #wasSent(id: string, { run }: FileReader): Promise<boolean> {
    const { runs, files } = this.#deps.store
    let above = run
    while (isInside(above)) {
      const parent = await runs.get(above.parent!.runId)
      if (parent === undefined) return true
      above = parent
    }
    return wasSentWith(id, above) || (run.seq !== NO_RUN && (await files.wasSent(run.seq, id)))
  }
}
