import { useClickOutside } from '@mantine/hooks'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { byCategory } from '../components/categories.ts'
import { findComponents, foundBy } from '../components/find-components.ts'
import { allOffers, type Offer, offersFor, offersInto, searchedOf } from '../components/offers.ts'
import { offersOf, recentTypes } from '../components/recently-used.ts'
import { useWithServices } from '../components/use-services.ts'
import { useEditorState } from '../editor-context.ts'
import type { QuickAddRequest } from '../session/quick-add-context.ts'
import { AboutOffer } from './about-offer.tsx'
import { OfferIcon } from './offer-icon.tsx'
import { useOperationOffers } from './operation-offers.ts'
import classes from './palette.module.css'

interface QuickAddProps {
  readonly request: QuickAddRequest
  readonly onChoose: (offer: Offer) => void
  readonly onClose: () => void
}

/** As in palette.module.css. */
const WIDTH = 320
const HEIGHT = 420

/** A list at the cursor: type a few letters, press Enter. */
export function QuickAdd({ request, onChoose, onClose }: QuickAddProps) {
  const id = useId()
  const [search, setSearch] = useState('')
  const [current, setCurrent] = useState(0)
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  const [offers] = useState(() => {
    if (request.handle !== undefined) return offersFor(flow, catalogue, request.handle)
    if (request.into !== undefined) return offersInto(flow, catalogue, request.into)
    return recentFirst(allOffers(flow, catalogue))
  })
  const isWired = request.handle !== undefined
  const operations = useOperationOffers(offers, flow.context, search)
  const isSearch = search.trim() !== ''
  // What does not fit is told to who looks for it by name; nobody reads through a list of it.
  const listed = isSearch ? offers : offers.filter(({ refusal }) => refusal === undefined || !isWired)
  const searched = useWithServices(listed, search)
  const fitting = findComponents(searched, search, searchedOf).toSorted(refusedLast)
  const found = [...fitting, ...operations]
  const room = useClickOutside<HTMLDivElement>(onClose)
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  const choose = (offer: Offer | undefined) => {
    if (offer !== undefined && offer.refusal === undefined) onChoose(offer)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'ArrowDown') setCurrent((current + 1) % Math.max(1, found.length))
    else if (event.key === 'ArrowUp') setCurrent((current - 1 + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter') choose(found[current])
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={room}
      className={classes.quick}
      role="dialog"
      aria-label="Add a node"
      style={placeNear(request.screen)}
    >
      <input
        className={classes.quickSearch}
        role="combobox"
        aria-label="Search components"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-describedby={`${id}-about`}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${current}`}
        placeholder={request.handle === undefined ? 'Add a node…' : 'Add a node that fits…'}
        value={search}
        // biome-ignore lint/a11y/noAutofocus: it was opened to type into it.
        autoFocus
        onChange={(event) => {
          setSearch(event.target.value)
          setCurrent(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={`${id}-list`} role="listbox" aria-label="Components" className={classes.quickList}>
        {found.map((offer, index) => (
          <OfferRow
            key={searchedOf(offer).type}
            id={`${id}-${index}`}
            offer={offer}
            isCurrent={index === current}
            called={foundBy(searchedOf(offer), search)}
            onHover={() => setCurrent(index)}
            onChoose={() => choose(offer)}
          />
        ))}
      </div>
      {found.length === 0 && <p className={classes.empty}>{noneWords(listed.length, request)}</p>}
      {found[current] !== undefined && (
        <div className={classes.quickAbout} id={`${id}-about`}>
          <AboutOffer offer={found[current]} />
        </div>
      )}
    </div>
  )
}

interface OfferRowProps {
  readonly id: string
  readonly offer: Offer
  readonly isCurrent: boolean
  /** What it is called elsewhere, where that is why it was found. */
  readonly called: string | undefined
  readonly onHover: () => void
  readonly onChoose: () => void
}

function OfferRow({ id, offer, isCurrent, called, onHover, onChoose }: OfferRowProps) {
  const { title, category } = searchedOf(offer)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard is in the search above it.
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      aria-disabled={offer.refusal !== undefined || undefined}
      className={classes.offer}
      onMouseMove={onHover}
      onClick={onChoose}
    >
      <OfferIcon offer={offer} />
      <span className={classes.offerTitle}>{title}</span>
      <span className={classes.alias}>{called ?? category}</span>
    </div>
  )
}

/** What was used last, and then all of them as the palette shows them. */
function recentFirst(offers: readonly Offer[]): Offer[] {
  const recent = offersOf(offers, recentTypes())
  const others = offers.filter((offer) => !recent.includes(offer))
  return [...recent, ...byCategory(others, (offer) => searchedOf(offer).category).flatMap(([, some]) => some)]
}

/** Enter takes the first one. */
function refusedLast(one: Offer, other: Offer): number {
  return Number(one.refusal !== undefined) - Number(other.refusal !== undefined)
}

function noneWords(offers: number, { handle, into }: QuickAddRequest): string {
  if (offers > 0) return 'No component by that name.'
  if (into !== undefined) return 'No component fits into this wire.'
  return handle === undefined ? 'This context has no components.' : 'No component fits this wire.'
}

/** At the cursor, but never outside of the window. */
function placeNear({ x, y }: { readonly x: number; readonly y: number }): React.CSSProperties {
  const left = Math.max(8, Math.min(x, window.innerWidth - WIDTH - 8))
  const top = Math.max(8, Math.min(y, window.innerHeight - HEIGHT - 8))
  return { '--quick-left': `${left}px`, '--quick-top': `${top}px` } as React.CSSProperties
}
