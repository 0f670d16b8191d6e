import { type Offer, searchedOf } from '../components/offers.ts'
import classes from './palette.module.css'

/** What something that can be added is good for: a sentence and an example, or why it cannot be added. */
export function AboutOffer({ offer }: { readonly offer: Offer }) {
  const { description } = searchedOf(offer)
  const example = offer.preset === undefined ? (offer.facts?.example ?? null) : null
  return (
    <>
      {offer.refusal !== undefined && <p className={classes.refusal}>{offer.refusal}</p>}
      {description !== '' && <p>{description}</p>}
      {example !== null && (
        <p className={classes.example}>
          <span className={classes.exampleWord}>Example</span> {example}
        </p>
      )}
    </>
  )
}
