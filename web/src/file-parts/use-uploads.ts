import { useEffect, useRef, useState } from 'react'
import type { FileValue } from '../../../src/flows/file-value.ts'
import { useApi } from '../api/api-context.ts'
import { uploadFile } from '../api/files.ts'
import { problemOf } from '../api/problem.ts'

/** A file on its way to the service. */
export interface Upload {
  readonly key: number
  readonly name: string
  /** From 0 to 1. */
  readonly part: number
  /** Why it has ended without the file. */
  readonly problem?: string
}

export interface Uploads {
  readonly list: readonly Upload[]
  /** One after the other, in their order. */
  readonly begin: (files: readonly File[]) => void
  /** Ends it, or takes its problem off the list. */
  readonly drop: (key: number) => void
}

/** Stores files for a run to come. What is on its way when the part goes is let go. */
export function useUploads(onStored: (file: FileValue) => void): Uploads {
  const api = useApi()
  const [list, setList] = useState<readonly Upload[]>([])
  const stops = useRef(new Map<number, AbortController>())
  const last = useRef({ key: 0, upload: Promise.resolve() })
  const stored = useRef(onStored)
  useEffect(() => {
    stored.current = onStored
  })
  useEffect(() => {
    const begun = stops.current
    return () => {
      for (const stop of begun.values()) stop.abort()
    }
  }, [])
  const change = (key: number, changes: Partial<Upload>) =>
    setList((shown) => shown.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)))
  const remove = (key: number) => {
    stops.current.delete(key)
    setList((shown) => shown.filter((upload) => upload.key !== key))
  }
  const send = async (key: number, file: File, { signal }: AbortController) => {
    if (signal.aborted) return
    try {
      const value = await uploadFile(api, file, { signal, onProgress: (part) => change(key, { part }) })
      remove(key)
      stored.current(value)
    } catch (error) {
      if (!signal.aborted) change(key, { problem: problemOf(error).detail })
    }
  }
  const begin = (files: readonly File[]) => {
    for (const file of files) {
      const key = ++last.current.key
      const stop = new AbortController()
      stops.current.set(key, stop)
      setList((shown) => [...shown, { key, name: file.name, part: 0 }])
      last.current.upload = last.current.upload.then(() => send(key, file, stop))
    }
  }
  const drop = (key: number) => {
    stops.current.get(key)?.abort()
    remove(key)
  }
  return { list, begin, drop }
}
