import { useQueryClient } from '@tanstack/react-query'
import { words } from '../../../../src/flows/template/plain-words.ts'
import { useApi } from '../../api/api-context.ts'
import { flowsQuery } from '../../api/flows.ts'
import { importQuery } from '../../api/imports.ts'
import { ApiProblem, problemOf } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import type { Flow } from '../../api/shapes.ts'
import { notifyDone, notifyProblem } from '../../design/notify.tsx'
import { readFlowFile } from './flow-file.ts'

interface ImportHandlers {
  /** A flow of ours is there now. */
  readonly onMade: (flow: Flow) => void
  /** The service has read a file that is none of ours: somebody has to look at what becomes of it. */
  readonly onForeign: (file: File) => void
}

/** Takes in files, one after the other, and says of each how it went. */
export function useImport({ onMade, onForeign }: ImportHandlers): (files: readonly File[]) => Promise<void> {
  const api = useApi()
  const queries = useQueryClient()
  const context = useSession()?.context ?? '/'
  const importOne = async (file: File) => {
    const known = queries.getQueryData(flowsQuery(api).queryKey) ?? []
    const documents = readFlowFile(await file.text(), new Set(known.map(({ slug }) => slug)))
    if (documents === undefined) {
      await queries.fetchQuery(importQuery(api, file, context))
      return onForeign(file)
    }
    for (const body of documents) {
      const flow = await api.post<Flow>('flows', { body })
      notifyDone(words`“${flow.name}” was imported as ${flow.slug}.`)
      onMade(flow)
    }
  }
  return async (files) => {
    for (const file of files) await importOne(file).catch((error) => notifyProblem(inFile(file.name, error)))
    await queries.invalidateQueries({ queryKey: ['flows'] })
  }
}

/** The same refusal, saying which file it is about and what is wrong in it. */
function inFile(name: string, error: unknown): ApiProblem {
  const problem = problemOf(error)
  const faults = problem.errors.map(({ message }) => message)
  const detail = faults.length === 0 ? problem.detail : faults.join(' ')
  const title = error instanceof ApiProblem ? problem.title : 'The file cannot be imported'
  return new ApiProblem({ ...problem, title, detail: `${name}: ${detail}` })
}
