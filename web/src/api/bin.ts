import { queryOptions, useQuery } from '@tanstack/react-query'
import { useApi } from './api-context.ts'
import type { Api } from './client.ts'
import type { DeletedFlow } from './shapes.ts'

interface BinPage {
  readonly flows: readonly DeletedFlow[]
  readonly next_cursor: string | null
}

async function readBin(api: Pick<Api, 'get'>, signal: AbortSignal): Promise<DeletedFlow[]> {
  const flows: DeletedFlow[] = []
  let cursor: string | null = null
  do {
    const page: BinPage = await api.get('flows', { deleted: true, cursor }, { signal })
    flows.push(...page.flows)
    cursor = page.next_cursor
  } while (cursor !== null)
  return flows
}

function binQuery(api: Api) {
  return queryOptions({
    queryKey: ['bin'],
    queryFn: ({ signal }) => readBin(api, signal),
    // Others delete flows too; who looks sees what is there.
    staleTime: 0
  })
}

/** The deleted flows, those that were deleted last first. */
export function useBin() {
  return useQuery(binQuery(useApi()))
}
