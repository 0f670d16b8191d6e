import type { ConnectionPreset } from '../../../api/connections.ts'
import { CALLS, type Offer } from './offers.ts'

/** API Requests with the connection and a call of each service to begin with, where one can be added at all. */
export function serviceOffers(offers: readonly Offer[], presets: readonly ConnectionPreset[]): Offer[] {
  const call = offers.find(({ facts }) => facts?.type === CALLS)
  if (call === undefined) return []
  return presets.map((preset) => ({
    ...call,
    preset,
    fields: { ...call.fields, connection: preset.id, ...preset.request }
  }))
}
