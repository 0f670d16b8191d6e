import type { Command } from '../../../shell/commands.ts'

/** The keys of the list, for the sheet of shortcuts; use-row-keys.ts does what they say. */
export const ROW_COMMANDS: readonly Command[] = [
  ['walk', 'Go to the next run', 'arrowdown'],
  ['open', 'Open the run', 'enter'],
  ['choose', 'Choose the run', 'space'],
  ['choose-range', 'Choose all runs up to this one', 'shift+space'],
  ['choose-all', 'Choose all runs', 'mod+a'],
  ['choose-none', 'Choose none', 'escape']
].map(([id, title, keys]) => ({
  id: `runs.${id}`,
  title: title!,
  group: 'Runs',
  keys: keys!,
  isHidden: true,
  isHandledElsewhere: true,
  run: () => {}
}))
