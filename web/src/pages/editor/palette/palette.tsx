import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import { IconChevronDown, IconSearch } from '../../../design/icons/page-icons.ts'
import { useAdding } from '../actions/use-adding.ts'
import { byCategory } from '../components/categories.ts'
import { findComponents } from '../components/find-components.ts'
import { KeptNames } from '../components/kept-names.ts'
import { allOffers, type Offer, searchedOf } from '../components/offers.ts'
import { offersOf, recentTypes } from '../components/recently-used.ts'
import { useWithServices } from '../components/use-services.ts'
import { useEditorState } from '../editor-context.ts'
import { AboutOffer } from './about-offer.tsx'
import { OfferIcon } from './offer-icon.tsx'
import classes from './palette.module.css'
import { PaletteItem } from './palette-item.tsx'
import { headingStop, usePaletteKeys } from './use-palette-keys.ts'

interface Group {
  /** Empty where a search has brought up what is in it. */
  readonly title: string
  readonly offers: readonly Offer[]
}

/** The components that the flow can use, by category: dragged onto the canvas, or added by a click. */
export function Palette() {
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  const adding = useAdding()
  const [search, setSearch] = useState('')
  const offers = useMemo(() => allOffers(flow, catalogue), [flow, catalogue])
  const recent = useRecent(flow.nodes.length)
  const searched = useWithServices(offers, search)
  const groups = search.trim() === '' ? allGroups(offers, recent.types) : foundGroup(searched, search)
  const folded = useFoldedGroups()
  const shown = (group: Group) => (folded.has(group.title) ? [] : group.offers)
  const stops = groups.flatMap((group) => [
    ...(group.title === '' ? [] : [headingStop(group.title)]),
    ...shown(group).map((offer) => stopOf(group, offer))
  ])
  const keys = usePaletteKeys({ stops, isFolded: folded.has, toggle: folded.toggle })
  const [last, setLast] = useState('')
  const tabStop = stops.includes(last) ? last : stops[0]
  const card = useCard()
  return (
    <aside ref={recent.room} className={classes.palette} aria-label="Palette" onPointerLeave={recent.read}>
      <div className={classes.search}>
        <IconSearch size={15} aria-hidden />
        <input
          type="search"
          aria-label="Search components"
          placeholder="Search components"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            const first = groups[0]?.offers[0]
            if (event.key === 'ArrowDown') keys.enter()
            else if (event.key === 'Enter' && search.trim() !== '' && first?.refusal === undefined) {
              if (first !== undefined) adding.addInView(first)
            } else return
            event.preventDefault()
          }}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons inside. */}
      <div
        ref={keys.list}
        className={classes.groups}
        onKeyDown={keys.onKeyDown}
        onFocus={({ target }) => setLast((target as HTMLElement).dataset.stop ?? '')}
        onScroll={card.hide}
      >
        {groups.map((group) => (
          <div key={group.title}>
            {group.title !== '' && (
              <h2 className={classes.heading}>
                <button
                  type="button"
                  className={classes.category}
                  aria-expanded={!folded.has(group.title)}
                  tabIndex={tabStop === headingStop(group.title) ? 0 : -1}
                  data-stop={headingStop(group.title)}
                  onClick={() => folded.toggle(group.title)}
                >
                  <IconChevronDown size={14} aria-hidden />
                  <span className={classes.categoryName}>{group.title}</span>
                  <span className={classes.count} aria-hidden>
                    {folded.has(group.title) && group.offers.length}
                  </span>
                </button>
              </h2>
            )}
            <ul className={classes.list} aria-label={group.title === '' ? 'Found' : group.title}>
              {shown(group).map((offer) => {
                const stop = stopOf(group, offer)
                return (
                  <li key={stop}>
                    <PaletteItem
                      offer={offer}
                      stop={stop}
                      isTabStop={stop === tabStop}
                      search={search}
                      onPoint={card.show}
                      describedBy={card.at?.stop === stop ? card.id : undefined}
                    />
                  </li>
                )
              })}
            </ul>
          </div>
        ))}
        {stops.length === 0 && <p className={classes.empty}>No component by that name.</p>}
      </div>
      <p className={classes.hint}>
        <kbd>/</kbd> adds at the cursor
      </p>
      {card.at !== undefined && <Card id={card.id} at={card.at} offers={searched} />}
    </aside>
  )
}

const RECENT = 'Recent'

function allGroups(offers: readonly Offer[], types: readonly string[]): Group[] {
  const recent = offersOf(offers, types)
  return [
    ...(recent.length === 0 ? [] : [{ title: RECENT, offers: recent }]),
    ...byCategory(offers, (offer) => searchedOf(offer).category).map(([title, some]) => ({
      title,
      offers: some
    }))
  ]
}

/** The best first, whatever their category is. */
function foundGroup(offers: readonly Offer[], search: string): Group[] {
  const found = findComponents(offers, search, searchedOf)
  return found.length === 0 ? [] : [{ title: '', offers: found }]
}

function stopOf({ title }: Group, offer: Offer): string {
  return `${headingStop(title)}${searchedOf(offer).type}`
}

/** Read anew while nobody points at the list: what is clicked must not move away under the hand. */
function useRecent(count: number) {
  const room = useRef<HTMLElement>(null)
  const [types, setTypes] = useState(recentTypes)
  const read = useCallback(() => setTypes(recentTypes()), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with one node more, one of them was used.
  useEffect(() => {
    if (room.current?.matches(':hover') === false) read()
  }, [read, count])
  return { room, types, read }
}

function useFoldedGroups() {
  const [kept] = useState(() => new KeptNames(localStorage, 'millrace.folded-components'))
  const [folded, setFolded] = useState(() => new Set(kept.read()))
  return {
    has: (category: string) => folded.has(category),
    toggle: (category: string) => {
      kept.toggle(category)
      setFolded((before) => before.symmetricDifference(new Set([category])))
    }
  }
}

interface CardPlace {
  readonly stop: string
  readonly left: number
  readonly top: number
}

/** What is pointed at, or has the focus, is told beside the palette. */
function useCard() {
  const id = useId()
  const [at, setAt] = useState<CardPlace>()
  const show = useCallback((item: HTMLElement | undefined) => {
    if (item === undefined) return setAt(undefined)
    const { top } = item.getBoundingClientRect()
    const left = item.closest('aside')!.getBoundingClientRect().right + 6
    setAt({ stop: item.dataset.stop ?? '', left, top: Math.min(top, window.innerHeight - CARD_ROOM) })
  }, [])
  return { id, at, show, hide: () => setAt(undefined) }
}

/** So much is left below its upper edge. */
const CARD_ROOM = 240

function Card({
  id,
  at,
  offers
}: {
  readonly id: string
  readonly at: CardPlace
  readonly offers: readonly Offer[]
}) {
  const type = at.stop.slice(at.stop.indexOf('/') + 1)
  const offer = offers.find((each) => searchedOf(each).type === type)
  if (offer === undefined) return null
  const { title, category } = searchedOf(offer)
  return (
    <div id={id} role="tooltip" className={classes.card} style={{ left: at.left, top: at.top }}>
      <p className={classes.cardHead}>
        <OfferIcon offer={offer} />
        <span>
          <strong>{title}</strong>
          <span className={classes.cardCategory}>{category}</span>
        </span>
      </p>
      <AboutOffer offer={offer} />
    </div>
  )
}
