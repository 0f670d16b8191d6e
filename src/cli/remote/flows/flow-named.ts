import type { Static } from 'typebox'
import { didYouMean } from '../../../flows/closest-name.ts'
import type { ListedFlow } from '../../../http/schemas.ts'
import { CommandError } from '../../command-error.ts'
import type { Api, Query } from '../api.ts'
import { ApiRefusal } from '../refusals.ts'

export type Listed = Static<typeof ListedFlow>

/** The path of what the API has of a flow, by its slug or id. */
export function flowPath(flow: string, rest = ''): string {
  return `/api/v1/flows/${encodeURIComponent(flow)}${rest}`
}

/** Asks about a flow. Where there is none of that name, the error names the one that was most likely meant. */
export async function ofFlow<T>(api: Api, flow: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.code !== 'flow_not_found') throw error
    throw new CommandError(await absentText(api, flow))
  }
}

async function absentText(api: Api, flow: string): Promise<string> {
  const absent = `The key sees no flow "${flow}" at ${api.url}.`
  try {
    const slugs = (await allFlows(api)).flatMap(({ slug, aliases }) => [slug, ...aliases])
    return `${absent}${didYouMean(flow, slugs)} millrace flows list shows which there are.`
  } catch (error) {
    // A key that triggers flows need not be one that lists them.
    if (error instanceof CommandError) return absent
    throw error
  }
}

export async function allFlows(api: Api, query: Query = {}): Promise<Listed[]> {
  const flows: Listed[] = []
  let cursor: string | undefined
  do {
    const page = await api.call<{ flows: Listed[]; next_cursor: string | null }>('/api/v1/flows', {
      query: { ...query, cursor }
    })
    flows.push(...page.flows)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return flows
}
