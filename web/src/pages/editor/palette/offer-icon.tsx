import { Monogram } from '../../../design/monogram.tsx'
import { hueOf } from '../components/categories.ts'
import { ComponentIcon } from '../components/component-icon.tsx'
import { type Offer, searchedOf } from '../components/offers.ts'
import classes from './palette.module.css'

/** The picture of something that can be added, in the hue of its category. */
export function OfferIcon({ offer }: { readonly offer: Offer }) {
  if (offer.preset !== undefined) return <Monogram {...offer.preset.picture} />
  return (
    <span className={classes.offerIcon} data-category={hueOf(searchedOf(offer).category)}>
      <ComponentIcon name={offer.facts === undefined ? 'note' : offer.facts.icon} size={16} />
    </span>
  )
}
