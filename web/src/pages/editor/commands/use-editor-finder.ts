import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../api/api-context.ts'
import type { Api } from '../../../api/client.ts'
import { connectionPresets } from '../../../api/connections.ts'
import { offeredOperations } from '../../../api/operations.ts'
import { IconFocus2 } from '../../../design/icons/editor-icons.ts'
import { IconPlus } from '../../../design/icons/page-icons.ts'
import type { Command } from '../../../shell/commands.ts'
import { useAsker, useFinder } from '../../../shell/find-commands.ts'
import { useAdding } from '../actions/use-adding.ts'
import { findComponents } from '../components/find-components.ts'
import { iconNamed } from '../components/known-icons.ts'
import { allOffers, type Offer, searchedOf } from '../components/offers.ts'
import { serviceOffers } from '../components/services.ts'
import { useEditor } from '../editor-context.ts'
import { findRows, outlineRows } from '../outline/outline-rows.ts'
import { operationOffers } from '../palette/operation-offers.ts'

const MOST = 8

/** Nodes of the open flow, and all that can be added to it, for the palette of commands. */
export function useEditorFinder(): void {
  const editor = useEditor()
  const adding = useAdding()
  const api = useApi()
  const queries = useQueryClient()
  const offersNow = (): Offer[] => {
    const { flow, catalogue, isReadOnly } = editor.state()
    return isReadOnly ? [] : allOffers(flow, catalogue).filter(({ refusal }) => refusal === undefined)
  }
  const adds = (offers: readonly Offer[], search: string): Command[] =>
    offers.slice(0, MOST).map((offer) => addCommand(offer, search, () => adding.addInView(offer)))
  useFinder((search) => {
    const { flow, catalogue } = editor.state()
    const parts = findRows(outlineRows(flow, catalogue), search)
      .slice(0, MOST)
      .map(
        ({ id, title }): Command => ({
          id: `part-${id}`,
          title: `${title} (${id})`,
          group: 'On the canvas',
          icon: IconFocus2,
          keywords: search,
          run: () => editor.goTo(id)
        })
      )
    return [...parts, ...adds(findComponents(offersNow(), search, searchedOf), search)]
  })
  useAsker(async (search) => {
    const offers = offersNow()
    const { context } = editor.state().flow
    const [services, operations] = await Promise.all([
      servicesFound({ api, queries, offers, search }),
      queries.fetchQuery(offeredOperations(api, context, search)).catch(() => [])
    ])
    return [...adds(services, search), ...adds(operationOffers(offers, operations), search)]
  })
}

interface SoughtService {
  readonly api: Api
  readonly queries: QueryClient
  readonly offers: readonly Offer[]
  readonly search: string
}

async function servicesFound({ api, queries, offers, search }: SoughtService): Promise<readonly Offer[]> {
  if (offers.length === 0) return []
  const presets = await queries.fetchQuery(connectionPresets(api))
  return findComponents(serviceOffers(offers, presets), search, searchedOf)
}

function addCommand(offer: Offer, search: string, run: () => void): Command {
  const { title, type, category } = searchedOf(offer)
  const { facts, named } = offer
  return {
    id: `add-${type}`,
    // Operations are called by what they do, which several services may.
    title: named === undefined ? `Add ${title}` : `Add ${title} (${category})`,
    group: 'Add to the canvas',
    icon: iconNamed(facts === undefined ? 'note' : facts.icon) ?? IconPlus,
    // It was found by what is typed, which need not be in its title.
    keywords: search,
    run
  }
}
