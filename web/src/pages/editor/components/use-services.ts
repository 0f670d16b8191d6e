import { useMemo } from 'react'
import { useConnectionPresets } from '../../../api/connections.ts'
import type { Offer } from './offers.ts'
import { serviceOffers } from './services.ts'

/** The offers, and where something is searched for also those of services that are known: a list of them all would hide the rest. */
export function useWithServices(offers: readonly Offer[], search: string): readonly Offer[] {
  const isSearched = search.trim() !== ''
  const { data: presets } = useConnectionPresets({ enabled: isSearched })
  return useMemo(
    () => (isSearched && presets !== undefined ? [...offers, ...serviceOffers(offers, presets)] : offers),
    [offers, presets, isSearched]
  )
}
