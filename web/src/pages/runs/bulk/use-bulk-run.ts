import { useEffect, useRef, useState } from 'react'
import type { JsonValue } from '../../../../../src/flows/json/exact-json.ts'
import { useApi } from '../../../api/api-context.ts'
import type { Api } from '../../../api/client.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { cancelRun, replayRun, retryRun } from '../../../api/runs.ts'
import type { Run } from '../../../api/shapes.ts'
import type { BulkActionName } from './bulk-action.ts'
import { mergePatch } from './merge-patch.ts'
import { type BulkProgress, type BulkResult, runBulk } from './run-bulk.ts'

/** How each input is changed: some of its keys, or all of it. */
export interface InputEdit {
  readonly kind: 'merge' | 'replace'
  readonly value: JsonValue
}

interface BulkRun {
  /** Undefined until it is started. */
  readonly progress: BulkProgress | undefined
  readonly start: (ids: readonly string[], action: BulkActionName, edit?: InputEdit) => void
  readonly stop: () => void
}

/** Does something with many runs, and tells how far it is. Leaving the page stops it. */
export function useBulkRun(): BulkRun {
  const api = useApi()
  const [progress, setProgress] = useState<BulkProgress>()
  const isStopped = useRef(false)
  useEffect(() => {
    isStopped.current = false
    return () => {
      isStopped.current = true
    }
  }, [])
  const start: BulkRun['start'] = (ids, action, edit) => {
    isStopped.current = false
    const results: BulkResult[] = []
    const tell = (isFinished: boolean) => {
      setProgress({ total: ids.length, results: [...results], isFinished, isStopped: isStopped.current })
    }
    const telling = throttled(() => tell(false))
    tell(false)
    void runBulk({
      ids,
      act: (id) => act(api, action, { id, edit }),
      isBusy,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      isStopped: () => isStopped.current,
      onResult: (result) => {
        results.push(result)
        telling()
      }
    }).then(() => {
      telling.cancel()
      tell(true)
    })
  }
  const stop = () => {
    isStopped.current = true
  }
  return { progress, start, stop }
}

async function act(
  api: Api,
  action: BulkActionName,
  { id, edit }: { id: string; edit: InputEdit | undefined }
): Promise<string | undefined> {
  switch (action) {
    case 'retry':
      return (await retryRun(api, id)).run_id
    case 'replay':
      return (await replayRun(api, id)).run_id
    case 'edit':
      return (await replayRun(api, id, await editedInput(api, id, edit!))).run_id
    case 'cancel':
      await cancelRun(api, id)
      return undefined
  }
}

async function editedInput(api: Api, id: string, edit: InputEdit): Promise<JsonValue> {
  if (edit.kind === 'replace') return edit.value
  return mergePatch((await api.get<Run>(`runs/${id}`)).input, edit.value)
}

/** The backlog is full, or the flow's rate limit is reached: both pass. */
function isBusy(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 429 || error.status === 503)
}

const TELL_EVERY_MS = 100

/** Thousands of results a second must not mean as many drawings. */
function throttled(then: () => void): { (): void; cancel(): void } {
  let timer: number | undefined
  const call = () => {
    timer ??= window.setTimeout(() => {
      timer = undefined
      then()
    }, TELL_EVERY_MS)
  }
  return Object.assign(call, { cancel: () => window.clearTimeout(timer) })
}
