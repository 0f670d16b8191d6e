import { Spotlight, type SpotlightActionGroupData, type SpotlightStore } from '@mantine/spotlight'
import { useState } from 'react'
import { IconSearch } from '../design/icons/page-icons.ts'
import classes from './command-palette.module.css'
import { type Command, useAllCommands, useFoundCommands } from './commands.ts'
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
  const commands = [
    ...useFoundCommands(search),
    ...useAllCommands().filter((command) => command.isHidden !== true),
    ...useFoundHelp(search),
    ...useFoundRuns(search)
  ]
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
