import { useSearchParams } from 'react-router'
import { ROOT } from '../../../../src/contexts/context-path.ts'
import type { ContextFacts } from '../../api/contexts.ts'

const TABS = ['visible', 'flows', 'kept', 'settings'] as const
export type Tab = (typeof TABS)[number]

export interface ChosenContext {
  /** Undefined where the address names one that is not there. */
  readonly context: ContextFacts | undefined
  readonly path: string
  readonly tab: Tab
  /** `isQuick`: somebody runs through the tree, and each step is none to go back to. */
  readonly choose: (path: string, isQuick?: boolean) => void
  readonly showTab: (tab: Tab) => void
}

/** Which context is shown, and what of it, stands in the address. */
export function useChosenContext(contexts: readonly ContextFacts[]): ChosenContext {
  const [search, setSearch] = useSearchParams()
  const path = search.get('context') || ROOT
  const named = search.get('tab')
  const tab = TABS.find((known) => known === named) ?? 'visible'
  const change = (next: { context: string; tab: Tab }, replace: boolean) => {
    const entries = [
      ...(next.context === ROOT ? [] : [['context', next.context]]),
      ...(next.tab === 'visible' ? [] : [['tab', next.tab]])
    ]
    setSearch(Object.fromEntries(entries), { replace, preventScrollReset: true })
  }
  return {
    context: contexts.find((context) => context.path === path),
    path,
    tab,
    choose: (context, isQuick = false) => change({ context, tab }, isQuick),
    showTab: (next) => change({ context: path, tab: next }, true)
  }
}
