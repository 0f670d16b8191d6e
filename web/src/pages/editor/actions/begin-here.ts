import type { Offer } from '../components/offers.ts'

/** A trigger that has a time zone begins with that of whoever adds it: hours are mostly meant as they read them. */
export function begunHere(offer: Offer, ownZone: string): Offer {
  const zone = offer.facts?.fields.timezone
  if (offer.facts?.trigger == null || zone === undefined || zone.default === ownZone) return offer
  return { ...offer, fields: { timezone: ownZone, ...offer.fields } }
}
