import { queryOptions } from '@tanstack/react-query'
import type { FileValue } from '../../../src/flows/file-value.ts'
import type { Api } from './client.ts'
import { readProblem, unreachable } from './problem.ts'

/** As much of a file as was asked for. */
export interface FileBytes {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Of the whole file. */
  readonly size: number
}

/** The beginning of a file, `most` bytes of it. What a file holds never changes. */
export function fileQuery(api: Api, id: string, most: number) {
  return queryOptions({
    queryKey: ['file', id, most],
    queryFn: ({ signal }) => readFile(api, id, { most, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000
  })
}

interface ReadFileOptions {
  readonly most: number
  readonly signal: AbortSignal
}

async function readFile(api: Api, id: string, { most, signal }: ReadFileOptions): Promise<FileBytes> {
  const response = await fetch(fileAddress(api, id), {
    credentials: 'same-origin',
    headers: { range: `bytes=0-${most - 1}` },
    signal
  }).catch((error: unknown) => {
    throw signal.aborted ? error : unreachable()
  })
  // Of an empty file there is no first byte.
  if (response.status === 416) return { bytes: new Uint8Array(), size: 0 }
  if (!response.ok) throw problemIn(response.status, response.statusText, await response.text())
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { bytes, size: sizeIn(response.headers.get('content-range')) ?? bytes.length }
}

/** `bytes 0-65535/20000000`. */
function sizeIn(range: string | null): number | undefined {
  const size = range?.split('/')[1]
  return size === undefined || !/^\d+$/.test(size) ? undefined : Number(size)
}

/** Where a browser takes it as a download; it runs nothing of it. */
export function fileAddress(api: Api, id: string): string {
  return api.address(`files/${id}`)
}

interface UploadOptions {
  /** From 0 to 1. */
  readonly onProgress: (part: number) => void
  readonly signal: AbortSignal
}

/** Stores a file for a run to come. By an XMLHttpRequest: `fetch` does not tell how much is sent. */
export function uploadFile(api: Api, file: File, { onProgress, signal }: UploadOptions): Promise<FileValue> {
  const { promise, resolve, reject } = Promise.withResolvers<FileValue>()
  const request = new XMLHttpRequest()
  request.open('POST', api.address('files', { filename: file.name }))
  request.setRequestHeader('content-type', file.type || 'application/octet-stream')
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
  request.onload = () => {
    if (request.status === 201) resolve(JSON.parse(request.responseText) as FileValue)
    else reject(problemIn(request.status, request.statusText, request.responseText))
  }
  request.onerror = () => reject(unreachable())
  request.onabort = () => reject(signal.reason)
  signal.addEventListener('abort', () => request.abort())
  request.send(file)
  return promise
}

function problemIn(status: number, statusText: string, text: string) {
  try {
    return readProblem(status, statusText, JSON.parse(text))
  } catch {
    return readProblem(status, statusText, undefined)
  }
}
