import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { StepError } from '../engine/step-error.ts'
import { ContentDigest, heldByDigests } from '../files/content-digest.ts'
import { createFolderPlace } from '../files/folder-place.ts'
import { MeasuredBytes } from '../files/measured-bytes.ts'
import type { FileValue } from '../flows/file-value.ts'
import type { OpenFile, StepFiles } from '../flows/step/step-files.ts'

interface TestFiles extends StepFiles {
  /** A file that the run of the step names. */
  add(content: string | Uint8Array, about?: { filename?: string; contentType?: string }): Promise<FileValue>
}

const LIMIT = 25 * 1024 ** 2

/** Files of a step without a service around it, in a folder of their own. */
export async function testFiles(t: TestContext): Promise<TestFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'step-files-'))
  t.after(() => rm(folder, { recursive: true }))
  const place = createFolderPlace(folder)
  const known = new Map<string, { readonly name: string; readonly value: FileValue }>()
  const failed = (code: string) => new StepError(`The file: ${code}.`, { code, retryable: false })
  const create: StepFiles['create'] = async (content, { filename, contentType }) => {
    const name = randomBytes(16).toString('hex')
    const parts = content instanceof Uint8Array ? partsOf(content) : content
    const measuring = new MeasuredBytes(parts, {
      limit: LIMIT,
      tooLarge: () => failed('file_too_large'),
      digest: new ContentDigest(heldByDigests())
    })
    await place.write(name, measuring)
    const file = `file_${randomBytes(16).toString('base64url')}`
    const value = { file, filename, content_type: contentType, size: (await measuring.measured()).size }
    known.set(file, { name, value })
    return value
  }
  return {
    create,
    add: (content, { filename = 'a.txt', contentType = 'text/plain' } = {}) =>
      create(Buffer.from(content as string), { filename, contentType }),
    open: async (id): Promise<OpenFile> => {
      const { name, value } =
        known.get(id) ??
        (() => {
          throw failed('file_not_found')
        })()
      const read: OpenFile['read'] = async function* (range) {
        yield* await place.read(name, range)
      }
      const bytes = async (most: number) => {
        if (value.size > most) throw failed('file_too_large')
        return Buffer.concat(await Array.fromAsync(read()))
      }
      return { value, read, bytes }
    }
  }
}

async function* partsOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}
