import { useQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Rehearsal as RehearsalSchema } from '../../../src/http/flows/rehearsal-schema.ts'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'

export type Rehearsal = Readonly<Static<typeof RehearsalSchema>>
export type RehearsalCase = Rehearsal['cases'][number]

const LOOK_EVERY_MS = 300

/** The draft at this revision, on what started the last live runs; done once for each revision that somebody looks at. */
export function useRehearsal(flow: string, revision: number, isWanted: boolean) {
  const api = useApi()
  return useQuery({
    queryKey: ['rehearsal', flow, revision],
    queryFn: ({ signal }) => rehearse(api, flow, signal),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false
  })
}

/** Null where the key may not read what came of it. */
async function rehearse(api: Api, flow: string, signal: AbortSignal): Promise<Rehearsal | null> {
  const path = `flows/${flow}/draft/rehearsal`
  let rehearsal = await api.post<Rehearsal | undefined>(path, { body: {}, signal })
  while (rehearsal?.status === 'in progress') {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    rehearsal = await api.get<Rehearsal>(path, {}, { signal })
  }
  return rehearsal ?? null
}
