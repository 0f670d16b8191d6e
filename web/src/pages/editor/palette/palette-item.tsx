import { memo } from 'react'
import { notifyRefusal } from '../../../design/notify.tsx'
import { useAdding } from '../actions/use-adding.ts'
import { foundBy } from '../components/find-components.ts'
import { type Offer, searchedOf } from '../components/offers.ts'
import { DRAGGED_TYPE } from '../components/palette-drag.ts'
import { OfferIcon } from './offer-icon.tsx'
import classes from './palette.module.css'

interface PaletteItemProps {
  readonly offer: Offer
  /** Where the arrow keys find it. */
  readonly stop: string
  readonly isTabStop: boolean
  readonly search: string
  /** Shows what it is good for, beside it. */
  readonly onPoint: (item: HTMLElement | undefined) => void
  readonly describedBy: string | undefined
}

/** Dragged onto the canvas, or added by a click. */
export const PaletteItem = memo((props: PaletteItemProps) => {
  const { offer, stop, isTabStop, search, onPoint, describedBy } = props
  const adding = useAdding()
  const { title, type } = searchedOf(offer)
  const isRefused = offer.refusal !== undefined
  const called = foundBy(searchedOf(offer), search)
  return (
    <button
      type="button"
      className={classes.item}
      tabIndex={isTabStop ? 0 : -1}
      data-stop={stop}
      aria-disabled={isRefused || undefined}
      aria-describedby={describedBy}
      title={offer.refusal}
      draggable={!isRefused}
      onPointerEnter={({ currentTarget, pointerType }) => pointerType === 'mouse' && onPoint(currentTarget)}
      onPointerLeave={() => onPoint(undefined)}
      onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && onPoint(currentTarget)}
      onBlur={() => onPoint(undefined)}
      onDragStart={(event) => {
        onPoint(undefined)
        event.dataTransfer.setData(DRAGGED_TYPE, type)
        event.dataTransfer.effectAllowed = 'copy'
      }}
      onClick={() => {
        onPoint(undefined)
        if (offer.refusal === undefined) adding.addInView(offer)
        else notifyRefusal('Nothing was added', offer.refusal)
      }}
    >
      <OfferIcon offer={offer} />
      <span className={classes.itemTitle}>{title}</span>
      {called !== undefined && <span className={classes.alias}>{called}</span>}
    </button>
  )
})
