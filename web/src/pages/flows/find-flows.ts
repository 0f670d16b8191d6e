import { isWithin } from '../../../../src/contexts/context-path.ts'
import type { ListedFlow } from '../../api/shapes.ts'

export const ORDERS = ['changed', 'run', 'name'] as const
export type Order = (typeof ORDERS)[number]

export interface FlowSearch {
  readonly text: string
  /** Flows of this context and of those below it; empty means all. */
  readonly context: string
  /** All of them. */
  readonly tags: readonly string[]
  readonly order: Order
  /** By their contexts. */
  readonly isGrouped: boolean
}

/** The flows that somebody looks for, in the order that was asked for. Every word has to be somewhere. */
export function findFlows(
  flows: readonly ListedFlow[],
  { text, context, tags, order }: Omit<FlowSearch, 'isGrouped'>
): ListedFlow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return flows
    .filter((flow) => context === '' || isWithin(flow.context, context))
    .filter((flow) => tags.every((tag) => flow.tags?.includes(tag)))
    .filter((flow) => {
      const said = saidBy(flow)
      return words.every((word) => said.includes(word))
    })
    .toSorted(COMPARE[order])
}

function saidBy({ name, slug, description = '', context, tags = [], nodes }: ListedFlow): string {
  const types = nodes.map(({ type, title = '' }) => `${type} ${title}`).join(' ')
  return `${name} ${slug} ${description} ${context} ${tags.join(' ')} ${types}`.toLowerCase()
}

const byName = (a: ListedFlow, b: ListedFlow) => a.name.localeCompare(b.name) || a.slug.localeCompare(b.slug)

const COMPARE: Readonly<Record<Order, (a: ListedFlow, b: ListedFlow) => number>> = {
  name: byName,
  changed: (a, b) => b.updated_at.localeCompare(a.updated_at) || byName(a, b),
  run: (a, b) => lastRunAt(b).localeCompare(lastRunAt(a)) || byName(a, b)
}

function lastRunAt(flow: ListedFlow): string {
  return flow.recent_runs?.[0]?.created_at ?? ''
}
