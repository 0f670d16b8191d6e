import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Ports } from '../../../../../src/flows/component/ports.ts'
import { useApi } from '../../../api/api-context.ts'
import type { Api } from '../../../api/client.ts'
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
  const isAsking = questions.length > 0
  const client = useQueryClient()
  const { data: answers = NONE } = useQuery({
    queryKey: ['inputs', context, questions.map(questionKey)],
    queryFn: () => askAll(client, questions, (question) => inputsQuery(api, context, question)),
    enabled: isAsking,
    staleTime: Number.POSITIVE_INFINITY,
    // What is known stays while more is asked.
    placeholderData: (before) => before
  })
  useEffect(() => {
    if (components !== undefined)
      session.setCatalogue(isAsking ? new PageCatalogue(plain.components, answers) : plain)
  }, [session, plain, components, isAsking, answers])
}

const NONE: InputsAnswers = new Map()

/** One that fails is asked again with the next that is open. (`useQueries` would be 1.3 kB more before a graph is drawn.) */
async function askAll(
  client: QueryClient,
  questions: readonly InputsQuestion[],
  queryOf: (question: InputsQuestion) => ReturnType<typeof inputsQuery>
): Promise<InputsAnswers> {
  const asked = questions.map(async (question) => {
    return [questionKey(question), await client.fetchQuery(queryOf(question))] as const
  })
  const settled = await Promise.allSettled(asked)
  return new Map(settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])))
}

function inputsQuery(api: Api, context: string, question: InputsQuestion) {
  return queryOptions({
    queryKey: ['inputs', context, questionKey(question)],
    queryFn: () => askInputs(api, context, question),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false
  })
}

async function askInputs(api: Api, context: string, { type, fields }: InputsQuestion): Promise<Ports> {
  const path = `components/${encodeURIComponent(type)}/inputs?context=${encodeURIComponent(context)}`
  return (await api.post<{ inputs: Ports }>(path, { body: { fields } })).inputs
}
