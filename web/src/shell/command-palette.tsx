import { createSpotlight, useSpotlight } from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import classes from './command-palette.module.css'
import { pageLoaded } from './page-loaded.ts'

const [store, palette] = createSpotlight()
export const openPalette = palette.open

/**
 * Everything that can be done here, found by typing. It is made when it is opened: one that is there before comes with
 * a transition, frames after its key, and whoever knows what they look for types on at once. Until there is a field
 * with the focus, what they type would be lost, or be shortcuts of the page.
 */
export function CommandPalette() {
  const { opened } = useSpotlight(store)
  const isUsed = useIsUsed()
  const { data: part } = useQuery({
    queryKey: ['command-palette'],
    queryFn: async () => {
      await pageLoaded()
      return import('./open-palette.tsx')
    },
    enabled: isUsed || opened,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false
  })
  return opened && <Opened part={part} />
}

function Opened({ part }: { readonly part: typeof import('./open-palette.tsx') | undefined }) {
  const [typed, setTyped] = useState('')
  useGiveFocusBack()
  return part === undefined ? (
    <TypedAhead onType={setTyped} />
  ) : (
    <part.OpenPalette store={store} typed={typed} />
  )
}

/** Who only looks at the first view needs no palette; whoever has moved a hand may press its key next. */
function useIsUsed(): boolean {
  const [isUsed, setUsed] = useState(false)
  useEffect(() => {
    const heard = new AbortController()
    const use = () => {
      heard.abort()
      setUsed(true)
    }
    for (const move of ['pointermove', 'pointerdown', 'keydown'])
      window.addEventListener(move, use, { signal: heard.signal, passive: true })
    return () => heard.abort()
  }, [])
  return isUsed
}

/** Takes the first letters where the palette is still being loaded. */
function TypedAhead({ onType }: { readonly onType: (text: string) => void }) {
  return (
    <input
      className={classes.placeholder}
      aria-label="Search commands"
      // biome-ignore lint/a11y/noAutofocus: it was opened to type into it.
      autoFocus
      onChange={(event) => onType(event.target.value)}
      onKeyDown={(event) => event.key === 'Escape' && palette.close()}
    />
  )
}

/** To where it was when the palette was opened, unless what was chosen has taken it. */
function useGiveFocusBack(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      const isLost = document.activeElement === document.body
      if (isLost && opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    },
    [opener]
  )
}
