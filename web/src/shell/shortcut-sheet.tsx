import { Modal } from '@mantine/core'
import { Fragment } from 'react'
import { useOpenedAfterMount } from '../design/opened-after-mount.ts'
import { shortcutsOf, useAllCommands } from './commands.ts'
import { KeyCaps } from './key-caps.tsx'
import classes from './shortcut-sheet.module.css'

/** Every shortcut that works at the moment. */
export function ShortcutSheet({
  opened,
  onClose
}: {
  readonly opened: boolean
  readonly onClose: () => void
}) {
  const commands = useAllCommands().filter((command) => shortcutsOf(command).length > 0)
  const groups = Map.groupBy(commands, (command) => command.group)
  return (
    <Modal opened={useOpenedAfterMount(opened)} onClose={onClose} title="Keyboard shortcuts" size="lg">
      <div className={classes.groups}>
        {[...groups].map(([group, members]) => (
          <section key={group}>
            <h3 className={classes.heading}>{group}</h3>
            <dl className={classes.list}>
              {members.map((command) => (
                <div key={command.id} className={classes.row}>
                  <dt>{command.title}</dt>
                  <dd>
                    {shortcutsOf(command).map((keys, index) => (
                      <Fragment key={keys}>
                        {index > 0 ? ' or ' : null}
                        <KeyCaps keys={keys} />
                      </Fragment>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
