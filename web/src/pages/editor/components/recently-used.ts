import { KeptNames } from './kept-names.ts'
import { type Offer, searchedOf } from './offers.ts'

const MOST = 5

function kept(): KeptNames {
  return new KeptNames(localStorage, 'millrace.recent-components')
}

export function rememberUsed(offer: Offer): void {
  // An operation of an API is found anew by its words: what is remembered is the component.
  kept().putFirst((offer.named && offer.facts?.type) ?? searchedOf(offer).type, MOST)
}

/** What somebody added most recently on this machine, the newest first: types of components. */
export function recentTypes(): readonly string[] {
  return kept().read()
}

/** Those of the offers that are of these types, in their order. */
export function offersOf(offers: readonly Offer[], types: readonly string[]): readonly Offer[] {
  const byType = new Map(offers.map((offer) => [searchedOf(offer).type, offer]))
  return types.flatMap((type) => byType.get(type) ?? [])
}
