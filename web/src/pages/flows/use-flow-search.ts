import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { type FlowSearch, ORDERS, type Order } from './find-flows.ts'

/** What is looked for, kept in the address: it survives a reload, the way back, and being sent to somebody. */
export function useFlowSearch() {
  const [params, setParams] = useSearchParams()
  const order = params.get('order') as Order
  // The address follows a moment later; a field that waited for it would lose letters.
  const [text, setText] = useState(params.get('q') ?? '')
  const search: FlowSearch = {
    text,
    context: params.get('context') ?? '',
    tags: params.getAll('tag'),
    order: ORDERS.includes(order) ? order : 'changed',
    isGrouped: params.get('group') !== 'none'
  }
  const change = (changes: Partial<FlowSearch>) => {
    const { text, context, tags, order, isGrouped } = { ...search, ...changes }
    setText(text)
    const named = [
      ['q', text],
      ['context', context],
      ...tags.map((tag) => ['tag', tag]),
      ['order', order === 'changed' ? '' : order],
      ['group', isGrouped ? '' : 'none']
    ] as [string, string][]
    setParams(
      named.filter(([, value]) => value !== ''),
      { replace: true }
    )
  }
  return { search, change, clear: () => change({ text: '', context: '', tags: [] }) }
}
