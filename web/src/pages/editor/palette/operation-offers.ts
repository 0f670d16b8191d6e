import { useDebouncedValue } from '@mantine/hooks'
import { type OfferedOperation, useOfferedOperations } from '../../../api/operations.ts'
import type { Offer } from '../components/offers.ts'

/** API Operation filled in, for what the connections of the context offer that does what somebody looks for. */
export function useOperationOffers(offers: readonly Offer[], context: string, search: string): Offer[] {
  const [asked] = useDebouncedValue(search, 150)
  const { data = [] } = useOfferedOperations(context, baseOf(offers) === undefined ? '' : asked)
  return search.trim() === '' ? [] : operationOffers(offers, data)
}

/** None where API Operation itself is not offered. */
export function operationOffers(offers: readonly Offer[], operations: readonly OfferedOperation[]): Offer[] {
  const base = baseOf(offers)
  return base === undefined ? [] : operations.map((operation) => offerOf(base, operation))
}

function baseOf(offers: readonly Offer[]): Offer | undefined {
  return offers.find(({ facts, refusal }) => facts?.type === 'api-operation' && refusal === undefined)
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
