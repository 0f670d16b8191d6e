import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../api/api-context.ts'
import { useContexts } from '../api/contexts.ts'
import { type ImportReport, importQuery, type Needed, useImportFile } from '../api/imports.ts'
import { useSession } from '../api/session.ts'
import { neededBy } from './report-words.ts'

/** What somebody looks at before a file is imported, and after it. */
export interface ImportReview {
  readonly file: File
  readonly context: string
  readonly contexts: readonly string[]
  readonly chooseContext: (context: string) => void
  /** Undefined until the service has read the file. */
  readonly report: ImportReport | undefined
  /** All that were missing since the report was opened. */
  readonly needs: readonly (Needed & { readonly isThere: boolean })[]
  readonly isSaved: boolean
  readonly isSaving: boolean
  readonly error: unknown
  readonly save: () => void
}

export function useImportReview(file: File): ImportReview {
  // A key that is bound to a context imports there by itself.
  const bound = useSession()?.context ?? '/'
  const { data: known = [] } = useContexts()
  const [context, setContext] = useState(bound)
  const preview = useQuery(importQuery(useApi(), file, context))
  const saving = useImportFile(file)
  const report = saving.data ?? preview.data
  return {
    file,
    context,
    contexts: [...new Set([bound, ...known.map(({ path }) => path)])],
    chooseContext: setContext,
    report,
    needs: useNeeds(preview.data, context),
    isSaved: saving.data !== undefined,
    isSaving: saving.isPending,
    error: saving.error ?? preview.error,
    save: () => saving.mutate(context)
  }
}

/** One that was made stays in the list, marked: what moves under the pointer is pressed by mistake. */
function useNeeds(report: ImportReport | undefined, context: string): ImportReview['needs'] {
  const [seen, setSeen] = useState<{ context: string; needs: readonly Needed[] }>({ context, needs: [] })
  const now = report === undefined ? [] : neededBy(report.flows)
  const before = seen.context === context ? seen.needs : []
  const news = now.filter(({ name }) => !before.some((one) => one.name === name))
  if (news.length > 0) setSeen({ context, needs: [...before, ...news] })
  const missing = new Set(now.map(({ name }) => name))
  return [...before, ...news].map((one) => ({ ...one, isThere: !missing.has(one.name) }))
}
