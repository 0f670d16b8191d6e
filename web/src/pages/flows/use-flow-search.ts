import { useSearchParams } from 'react-router'
import { type FlowSearch, ORDERS, type Order } from './find-flows.ts'

/** What is looked for, kept in the address: it survives a reload, the way back, and being sent to somebody. */
export function useFlowSearch() {
  const [params, setParams] = useSearchParams()
  const order = params.get('order') as Order
  const search: FlowSearch = {
    text: params.get('q') ?? '',
    context: params.get('context') ?? '',
    order: ORDERS.includes(order) ? order : 'changed'
  }
  const change = (changes: Partial<FlowSearch>) => {
    const { text, context, order } = { ...search, ...changes }
    const named = { q: text, context, order: order === 'changed' ? '' : order }
    setParams(Object.fromEntries(Object.entries(named).filter(([, value]) => value !== '')), {
      replace: true
    })
  }
  return { search, change, clear: () => setParams({}, { replace: true }) }
}
