import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Outlet, useNavigate } from 'react-router'
import { useFlows } from '../api/flows.ts'
import { useFollowLive } from '../api/follow-live.ts'
import { IconKeyboard, IconLogout, IconSearch } from '../design/icons/page-icons.ts'
import { LoadingState } from '../design/loading-state.tsx'
import { Page } from '../design/page.tsx'
import { CommandPalette, openPalette } from './command-palette.tsx'
import { type Command, useCommands } from './commands.ts'
import { Navigation } from './navigation.tsx'
import { OfflineBar } from './offline-bar.tsx'
import { PLACES } from './places.ts'
import classes from './shell.module.css'
import { useShortcutKeys } from './shortcut-keys.ts'
import { useSignOut } from './sign-out.ts'
import { THEMES, useThemeChoice } from './theme-choice.ts'
import { useKeptFocus } from './use-kept-focus.ts'

const ShortcutSheet = lazy(async () => {
  const { ShortcutSheet } = await import('./shortcut-sheet.tsx')
  return { default: ShortcutSheet }
})

/** What stands around every page of somebody who is signed in. */
export function Shell() {
  const main = useRef<HTMLElement>(null)
  const [isSheetOpen, sheet] = useDisclosure(false)
  useKeptFocus()
  useFollowLive()
  useShortcutKeys()
  useShellCommands(sheet.open)
  return (
    <div className={classes.shell}>
      {/* No link to #main: with a <base>, that is an address of another page. */}
      <button type="button" className={classes.skip} onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <Navigation onShowShortcuts={sheet.open} />
      <div className={classes.room}>
        <OfflineBar />
        <main id="main" ref={main} className={classes.main} tabIndex={-1}>
          <Suspense fallback={<PageLoading />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <CommandPalette />
      <LazySheet opened={isSheetOpen} onClose={sheet.close} />
    </div>
  )
}

interface SheetProps {
  readonly opened: boolean
  readonly onClose: () => void
}

/** Loaded when it is first opened, and there from then on: it closes by a transition. */
function LazySheet({ opened, onClose }: SheetProps) {
  const [isWanted, setWanted] = useState(opened)
  useEffect(() => {
    if (opened) setWanted(true)
  }, [opened])
  return (
    <Suspense fallback={null}>{isWanted && <ShortcutSheet opened={opened} onClose={onClose} />}</Suspense>
  )
}

function PageLoading() {
  return (
    <Page>
      <LoadingState />
    </Page>
  )
}

function useShellCommands(showShortcuts: () => void): void {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { chooseTheme } = useThemeChoice()
  const { data: flows = [] } = useFlows()
  const places = PLACES.map(({ to, title, keys, Icon }): Command => {
    return { id: `go-${to}`, title, group: 'Go to', keys, icon: Icon, run: () => void navigate(to) }
  })
  const toFlows = flows.map(({ id, name, slug }): Command => {
    const run = () => void navigate(`/flows/${id}`)
    return { id: `flow-${id}`, title: name, group: 'Open a flow', keywords: slug, icon: PLACES[0].Icon, run }
  })
  const themes = THEMES.map(({ value, label, Icon }): Command => {
    const title = `Use the ${label.toLowerCase()} theme`
    return { id: `theme-${value}`, title, group: 'Page', icon: Icon, run: () => chooseTheme(value) }
  })
  const own: Command[] = [
    ...places,
    ...toFlows,
    {
      id: 'palette',
      title: 'Search commands',
      group: 'Page',
      keys: 'mod+k',
      icon: IconSearch,
      run: openPalette,
      isHidden: true,
      worksInFields: true
    },
    {
      id: 'shortcuts',
      title: 'Keyboard shortcuts',
      group: 'Page',
      keys: '?',
      icon: IconKeyboard,
      run: showShortcuts
    },
    ...themes,
    { id: 'sign-out', title: 'Sign out', group: 'Page', icon: IconLogout, run: signOut }
  ]
  useCommands(own, 'shell')
}
