import { createSpotlight, Spotlight, type SpotlightActionGroupData, useSpotlight } from '@mantine/spotlight'
import { useEffect, useState } from 'react'
import { IconSearch } from '../design/icons/page-icons.ts'
import classes from './command-palette.module.css'
import { type Command, useAllCommands, useFoundCommands } from './commands.ts'
import { KeyCaps } from './key-caps.tsx'
import { useFoundRuns } from './use-found-runs.ts'

const [store, palette] = createSpotlight()

export const openPalette = palette.open

/**
 * Everything that can be done here, found by typing. It is made when it is opened: one that is there before comes with
 * a transition, frames after its key, and whoever knows what they look for types on at once. Until there is a field
 * with the focus, what they type would be lost, or be shortcuts of the page.
 */
export function CommandPalette() {
  const { opened } = useSpotlight(store)
  return opened && <OpenPalette />
}

function OpenPalette() {
  const [search, setSearch] = useState('')
  const commands = [
    ...useFoundCommands(search),
    ...useAllCommands().filter((command) => command.isHidden !== true),
    ...useFoundRuns(search)
  ]
  useGiveFocusBack()
  return (
    <Spotlight
      store={store}
      returnFocus={false}
      actions={groupsOf(commands)}
      shortcut={null}
      query={search}
      onQueryChange={setSearch}
      classNames={{ actionsList: classes.list, actionBody: classes.body, actionLabel: classes.label }}
      attributes={{ content: { 'aria-label': 'Commands' } }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      nothingFound="Nothing by that name"
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: 'Find, go to, or do…',
        'aria-label': 'Search commands',
        autoFocus: true
      }}
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

function groupsOf(commands: readonly Command[]): SpotlightActionGroupData[] {
  const groups = Map.groupBy(commands, (command) => command.group)
  return [...groups].map(([group, members]) => ({ group, actions: members.map(actionOf) }))
}

function actionOf({ id, title, keywords, icon: Picture, keys, run }: Command) {
  return {
    id,
    label: title,
    onClick: run,
    ...(keywords === undefined ? {} : { keywords }),
    ...(Picture === undefined ? {} : { leftSection: <Picture size={18} stroke={1.6} aria-hidden /> }),
    ...(keys === undefined ? {} : { rightSection: <KeyCaps keys={keys} /> })
  }
}
