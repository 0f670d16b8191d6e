import { useRef } from 'react'

interface PaletteKeys {
  /** All that the keys can come to, in the order in which it is shown. */
  readonly stops: readonly string[]
  readonly isFolded: (category: string) => boolean
  readonly toggle: (category: string) => void
}

/** The stop of a heading; those of items begin with that of theirs. */
export function headingStop(category: string): string {
  return `${category}/`
}

/**
 * One stop of the Tab key for the whole list: arrows walk it, and fold and unfold groups. To come to the sixtieth component
 * by Tab would take sixty of them.
 */
export function usePaletteKeys({ stops, isFolded, toggle }: PaletteKeys) {
  const list = useRef<HTMLDivElement>(null)
  const focus = (stop: string | undefined) => {
    if (stop !== undefined)
      list.current?.querySelector<HTMLElement>(`[data-stop="${CSS.escape(stop)}"]`)?.focus()
    return stop !== undefined
  }
  const fold = (category: string, stop: string, isFolding: boolean) => {
    const isHeading = stop === headingStop(category)
    if (isHeading && isFolded(category) !== isFolding) toggle(category)
    else if (isFolding) focus(headingStop(category))
  }
  const onListKey = (event: React.KeyboardEvent): boolean => {
    const stop = (event.target as HTMLElement).dataset.stop
    if (stop === undefined || event.altKey || event.ctrlKey || event.metaKey) return false
    const at = stops.indexOf(stop)
    const category = stop.slice(0, stop.indexOf('/'))
    if (event.key === 'ArrowDown') focus(stops[at + 1])
    else if (event.key === 'ArrowUp') focus(stops[at - 1])
    else if (event.key === 'Home') focus(stops[0])
    else if (event.key === 'End') focus(stops.at(-1))
    else if (event.key === 'ArrowLeft') fold(category, stop, true)
    else if (event.key === 'ArrowRight') fold(category, stop, false)
    else return false
    return true
  }
  return {
    list,
    /** To the first one, from the search above them. */
    enter: () => focus(stops[0]),
    onKeyDown: (event: React.KeyboardEvent) => {
      if (!onListKey(event)) return
      event.preventDefault()
      event.stopPropagation()
    }
  }
}
