import { useDebouncedValue } from '@mantine/hooks'
import { type OfferedOperation, useOfferedOperations } from '../../../api/operations.ts'
import type { Offer } from '../components/offers.ts'

/** API Operation filled in, for what the connections of the context offer that does what somebody looks for. */
export function useOperationOffers(offers: readonly Offer[], context: string, search: string): Offer[] {
  const base = offers.find(({ facts, refusal }) => facts?.type === 'api-operation' && refusal === undefined)
  const [asked] = useDebouncedValue(search, 150)
  const { data = [] } = useOfferedOperations(context, base === undefined ? '' : asked)
  return base === undefined || search.trim() === '' ? [] : data.map((operation) => offerOf(base, operation))
}

function offerOf(base: Offer, { connection, id, title, method, path }: OfferedOperation): Offer {
  return {
    ...base,
    fields: { ...base.fields, connection, operation: id },
    named: {
      title,
      type: `api-operation ${connection} ${id}`,
      category: connection,
      description: `${method} ${path}, by the connection “${connection}”.`,
      keywords: []
    }
  }
}
