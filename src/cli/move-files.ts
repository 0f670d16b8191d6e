import { MillraceError } from '../errors.ts'
import { copyFiles, isWhole } from '../files/copy-files.ts'
import { createFolderPlace } from '../files/folder-place.ts'
import type { Config } from '../startup/config.ts'
import { filesFolder, openFilePlace } from '../startup/open-file-place.ts'
import type { CopySource, CopyStep } from '../store/copy/copy-store.ts'
import { type Position, positionOf } from '../store/copy/part.ts'
import { type CopiedPart, copiedParts } from '../store/copy/parts.ts'
import type { FileParts } from '../store/file-parts.ts'
import type { StoredBytes } from '../store/files.ts'
import { countOf } from './progress.ts'

interface FileMoveOptions {
  readonly config: Pick<Config, 'home' | 'files'>
  readonly source: CopySource
  readonly target: { readonly fileParts: FileParts; readonly place: string }
  readonly onProgress: (step: CopyStep) => void
  readonly signal: AbortSignal
}

interface FileMove {
  /** Copies the bytes of all files to where the new store looks for them, then reads them there. */
  move(): Promise<void>
  /** What to tell of it: lines, or nothing. */
  tidings(): string
}

const BYTES: CopiedPart = copiedParts.find(({ name }) => name === 'blobs')!

/**
 * Where files are in an object store for both, they are there already: they are read through all the same. What the old place does
 * not have is nothing that a copy could bring back; it is told, and holds up nothing.
 */
export async function openFileMove(options: FileMoveOptions): Promise<FileMove> {
  const { config, source, target, onProgress, signal } = options
  const total = source.count(BYTES)
  const place = await openFilePlace({ config, fileParts: target.fileParts })
  let lost: readonly string[] = []
  return {
    async move() {
      let done = 0
      const tell = (doing: CopyStep['doing']) => onProgress({ doing, part: 'file bytes', done, total })
      const onFile = () => {
        done += 1
        tell('copying')
      }
      const from = createFolderPlace(filesFolder(config.home))
      ;({ lost } = await copyFiles({ from, to: place, files: bytesOf(source), onFile, signal }))
      const isLost = new Set(lost)
      done = 0
      for (const file of bytesOf(source)) {
        signal.throwIfAborted()
        if (!isLost.has(file.name) && !(await isWhole(place, file))) throw differs(file.name, target.place)
        done += 1
        tell('checking')
      }
    },
    tidings() {
      if (total === 0) return ''
      const copied = `The bytes of ${countOf(total - lost.length, 'file')} were copied and read again: each has the digest that it was stored with.\n`
      if (lost.length === 0) return `\n${copied}`
      return `\n${copied}${countOf(lost.length, 'file')} could not be copied: the bytes are missing or damaged in the old store, as doctor tells of it.\n`
    }
  }
}

function* bytesOf(source: CopySource): Generator<StoredBytes> {
  const columns = BYTES.columns.map(({ name }) => name)
  for (let position: Position = null; ; ) {
    const rows = source.read(BYTES, position)
    if (rows.length === 0) return
    for (const row of rows)
      yield Object.fromEntries(columns.map((name, at) => [name, row[at]])) as unknown as StoredBytes
    position = positionOf(BYTES, rows.at(-1)!)
  }
}

function differs(name: string, place: string): MillraceError {
  return new MillraceError(
    'copy_refused',
    `The copy of the bytes "${name}" for ${place} differs. Something else has written there. Start over with: millrace migrate-store --restart`
  )
}
