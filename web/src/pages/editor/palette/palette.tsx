import { useState } from 'react'
import { IconSearch } from '../../../design/icons/page-icons.ts'
import { notifyRefusal } from '../../../design/notify.tsx'
import { useAdding } from '../actions/use-adding.ts'
import { ComponentIcon } from '../components/component-icon.tsx'
import { findComponents } from '../components/find-components.ts'
import { allOffers, type Offer, searchedOf } from '../components/offers.ts'
import { DRAGGED_TYPE } from '../components/palette-drag.ts'
import { useEditorState } from '../editor-context.ts'
import classes from './palette.module.css'

/** The components that the flow can use, by category: dragged onto the canvas, or added by a click. */
export function Palette() {
  const flow = useEditorState((state) => state.flow)
  const catalogue = useEditorState((state) => state.catalogue)
  const [search, setSearch] = useState('')
  const found = findComponents(allOffers(flow, catalogue), search, searchedOf)
  const groups = Map.groupBy(found, (offer) => searchedOf(offer).category)
  return (
    <aside className={classes.palette} aria-label="Palette">
      <div className={classes.search}>
        <IconSearch size={15} aria-hidden />
        <input
          type="search"
          aria-label="Search components"
          placeholder="Search components"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <div className={classes.groups}>
        {[...groups].map(([category, offers]) => (
          <div key={category}>
            <h2 className={classes.category}>{category}</h2>
            <ul className={classes.list} aria-label={category}>
              {offers.map((offer) => (
                <li key={searchedOf(offer).type}>
                  <PaletteItem offer={offer} />
                </li>
              ))}
            </ul>
          </div>
        ))}
        {found.length === 0 && <p className={classes.none}>No component by that name.</p>}
      </div>
      <p className={classes.hint}>
        <kbd>/</kbd> adds at the cursor
      </p>
    </aside>
  )
}

function PaletteItem({ offer }: { readonly offer: Offer }) {
  const adding = useAdding()
  const { title, description, type } = searchedOf(offer)
  const isRefused = offer.refusal !== undefined
  return (
    <button
      type="button"
      className={classes.item}
      aria-disabled={isRefused || undefined}
      title={offer.refusal ?? description}
      draggable={!isRefused}
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAGGED_TYPE, type)
        event.dataTransfer.effectAllowed = 'copy'
      }}
      onClick={() => {
        if (offer.refusal === undefined) adding.addInView(offer)
        else notifyRefusal('Nothing was added', offer.refusal)
      }}
    >
      <span className={classes.offerIcon} data-category={offer.facts?.category}>
        <ComponentIcon name={offer.facts === undefined ? 'note' : offer.facts.icon} size={16} />
      </span>
      <span className={classes.itemTitle}>{title}</span>
    </button>
  )
}
