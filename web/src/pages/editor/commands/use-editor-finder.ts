import { IconFocus2 } from '../../../design/icons/editor-icons.ts'
import { IconPlus } from '../../../design/icons/page-icons.ts'
import { type Command, useFinder } from '../../../shell/commands.ts'
import { useAdding } from '../actions/use-adding.ts'
import { findComponents } from '../components/find-components.ts'
import { iconNamed } from '../components/known-icons.ts'
import { allOffers, searchedOf } from '../components/offers.ts'
import { useEditor } from '../editor-context.ts'
import { findRows, outlineRows } from '../outline/outline-rows.ts'

const MOST = 8

/** Nodes of the open flow, and components that can be added to it, for the palette of commands. */
export function useEditorFinder(): void {
  const editor = useEditor()
  const adding = useAdding()
  useFinder((search) => {
    const { flow, catalogue, isReadOnly } = editor.state()
    const parts = findRows(outlineRows(flow, catalogue), search)
      .slice(0, MOST)
      .map(
        ({ id, title }): Command => ({
          id: `part-${id}`,
          title: `${title} (${id})`,
          group: 'On the canvas',
          icon: IconFocus2,
          keywords: search,
          run: () => editor.goTo(id)
        })
      )
    if (isReadOnly) return parts
    const offers = allOffers(flow, catalogue).filter(({ refusal }) => refusal === undefined)
    const components = findComponents(offers, search, searchedOf)
      .slice(0, MOST)
      .map((offer): Command => {
        const { title, type } = searchedOf(offer)
        return {
          id: `add-${type}`,
          title: `Add ${title}`,
          group: 'Add to the canvas',
          icon: iconNamed(offer.facts === undefined ? 'note' : offer.facts.icon) ?? IconPlus,
          keywords: search,
          run: () => adding.addInView(offer)
        }
      })
    return [...parts, ...components]
  })
}
