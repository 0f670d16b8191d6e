import type { ServerResponse } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import type { Files } from '../../../files/files.ts'
import type { FileValue } from '../../../flows/file-value.ts'
import type { FileStore } from '../../../store/files.ts'

export interface AnsweredFiles {
  readonly store: { readonly files: Pick<FileStore, 'get'> }
  readonly files: Pick<Files, 'open'>
}

/** The run that answered with it names it, so it is there as long as the run is. */
export async function openAnswered(
  { file: id }: FileValue,
  { store, files }: AnsweredFiles
): Promise<{ readonly size: number; readonly bytes: Readable }> {
  const file = await store.files.get(id)
  if (file === undefined) throw new Error(`the file ${id} that a run answered with is gone`)
  return { size: file.size, bytes: await files.open(file.name) }
}

/** Its bytes as they are read; where they cannot be read to their end, the caller's connection is cut, so that it knows. */
export async function sendFile(
  response: ServerResponse,
  file: FileValue,
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  deps: AnsweredFiles & { readonly onError: (error: unknown, doing: string) => void }
): Promise<void> {
  const cut = (error: unknown) => {
    deps.onError(error, `sending the file ${file.file} that a run answered with`)
    response.destroy()
  }
  try {
    const { size, bytes } = await openAnswered(file, deps)
    response.writeHead(status, { ...headers, 'content-length': size })
    pipeline(bytes, response, (error) => error && !response.destroyed && cut(error))
  } catch (error) {
    cut(error)
  }
}
