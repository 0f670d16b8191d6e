import { useQueryClient } from '@tanstack/react-query'
import { words } from '../../../../src/flows/template/plain-words.ts'
import { useApi } from '../../api/api-context.ts'
import { flowsQuery } from '../../api/flows.ts'
import { ApiProblem, problemOf } from '../../api/problem.ts'
import type { Flow } from '../../api/shapes.ts'
import { notifyDone, notifyProblem } from '../../design/notify.tsx'
import { readFlowFile } from './flow-file.ts'

/**
 * Takes in the flows of files, one after the other, and says of each how it went. `onMade` is told of those that are
 * there now.
 */
export function useImport(onMade: (flow: Flow) => void): (files: readonly File[]) => Promise<void> {
  const api = useApi()
  const queries = useQueryClient()
  const importOne = async (file: File) => {
    const known = queries.getQueryData(flowsQuery(api).queryKey) ?? []
    const documents = readFlowFile(await file.text(), new Set(known.map(({ slug }) => slug)))
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
