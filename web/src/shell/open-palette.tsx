import { Spotlight, type SpotlightActionGroupData, type SpotlightStore } from '@mantine/spotlight'
import { useEffect, useState } from 'react'
import { IconSearch } from '../design/icons/page-icons.ts'
import classes from './command-palette.module.css'
import { type Command, useAllCommands } from './commands.ts'
import { useAskedCommands, useFoundCommands } from './find-commands.ts'
import { KeyCaps } from './key-caps.tsx'
import { useFoundHelp } from './use-found-help.ts'
import { useFoundRuns } from './use-found-runs.ts'
// After the component: what this changes of Mantine's own styles has to stand behind them.
import '@mantine/spotlight/styles.layer.css'

interface OpenPaletteProps {
  readonly store: SpotlightStore
  /** What was typed while this was being loaded. */
  readonly typed: string
}

export function OpenPalette({ store, typed }: OpenPaletteProps) {
  const [search, setSearch] = useState(typed)
  const asked = useAskedCommands(search)
  const help = useFoundHelp(search)
  const runs = useFoundRuns(search)
  const commands = [
    ...useFoundCommands(search),
    ...asked,
    ...useAllCommands().filter((command) => command.isHidden !== true),
    ...help,
    ...runs
  ]
  useFirstSelected(store, asked.length + help.length + runs.length)
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

/** What comes after the search was typed is not selected, and may stand before what is: Enter is to take the first. */
function useFirstSelected(store: SpotlightStore, answers: number): void {
  useEffect(() => {
    const { listId, selected } = store.getState()
    const hasMovedOn = selected > 0
    if (answers === 0 || hasMovedOn) return
    // There is no list where nothing was found.
    const actions = document.getElementById(listId)?.querySelectorAll('[data-action]') ?? []
    for (const action of actions) action.removeAttribute('data-selected')
    actions[0]?.setAttribute('data-selected', 'true')
    store.updateState((state) => ({ ...state, selected: 0 }))
  }, [store, answers])
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
