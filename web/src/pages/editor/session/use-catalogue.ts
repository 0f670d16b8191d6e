import { useQueries } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Ports } from '../../../../../src/flows/component/ports.ts'
import { useApi } from '../../../api/api-context.ts'
import { useComponents } from '../../../api/components.ts'
import {
  type InputsAnswers,
  type InputsQuestion,
  openQuestions,
  PageCatalogue,
  questionKey
} from '../../../editor/wiring/page-catalogue.ts'
import { useEditorState } from '../editor-context.ts'
import type { EditorSession } from './editor-session.ts'

/** Keeps the catalogue that of the flow's context, and asks the service for inputs that only a component's code knows. */
export function useCatalogue(session: EditorSession): void {
  const api = useApi()
  const context = useEditorState(({ flow }) => flow.context)
  const flow = useEditorState((state) => state.flow)
  const { data: components } = useComponents(context)
  const [first] = useState(() => session.state().catalogue)
  // Another one with the same in it would draw every node again.
  const plain = useMemo(
    () => (first.components === components ? first : new PageCatalogue(components ?? [])),
    [first, components]
  )
  const questions = useMemo(() => openQuestions(flow, plain), [flow, plain])
  const answers = useQueries({
    queries: questions.map((question) => ({
      queryKey: ['inputs', context, questionKey(question)],
      queryFn: () => askInputs(api, context, question),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false
    })),
    combine: (results) => results.map(({ data }) => data)
  })
  const known = JSON.stringify(questions.map((question, index) => [questionKey(question), answers[index]]))
  // biome-ignore lint/correctness/useExhaustiveDependencies: known says when an answer has come.
  useEffect(() => {
    if (components !== undefined) session.setCatalogue(catalogueWith(plain, questions, answers))
  }, [session, plain, known])
}

async function askInputs(
  api: ReturnType<typeof useApi>,
  context: string,
  { type, fields }: InputsQuestion
): Promise<Ports> {
  const path = `components/${encodeURIComponent(type)}/inputs?context=${encodeURIComponent(context)}`
  return (await api.post<{ inputs: Ports }>(path, { body: { fields } })).inputs
}

function catalogueWith(
  plain: PageCatalogue,
  questions: readonly InputsQuestion[],
  answers: readonly (Ports | undefined)[]
): PageCatalogue {
  if (questions.length === 0) return plain
  const known: InputsAnswers = new Map(
    questions.flatMap((question, index) => {
      const answer = answers[index]
      return answer === undefined ? [] : [[questionKey(question), answer] as const]
    })
  )
  return new PageCatalogue(plain.components, known)
}
