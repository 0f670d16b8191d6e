import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import classes from './command-palette.module.css'
import { type Command, useAllCommands } from './commands.ts'
import { KeyCaps } from './key-caps.tsx'

export const openPalette = spotlight.open

/** Everything that can be done here, found by typing. */
export function CommandPalette() {
  const commands = useAllCommands().filter((command) => command.isHidden !== true)
  return (
    <Spotlight
      actions={groupsOf(commands)}
      shortcut={null}
      classNames={{ actionsList: classes.list, actionBody: classes.body, actionLabel: classes.label }}
      attributes={{ content: { 'aria-label': 'Commands' } }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
      nothingFound="Nothing of that name"
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: 'Go to, or do…',
        'aria-label': 'Search commands'
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
