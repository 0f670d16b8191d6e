import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ContextFacts, useDeleteContext } from '../../../api/contexts.ts'
import { useConfirm } from '../../../design/confirm.tsx'
import { IconArrowsMove } from '../../../design/icons/contexts-icons.ts'
import { IconTrash } from '../../../design/icons/page-icons.ts'
import { notifyDone, notifyProblem } from '../../../design/notify.tsx'
import { useCommands } from '../../../shell/commands.ts'
import classes from '../contexts-page.module.css'
import { ChangePlaceDialog } from './change-place-dialog.tsx'
import { useMayChange } from './use-may-change.ts'

interface ContextActionsProps {
  readonly context: ContextFacts
  readonly contexts: readonly ContextFacts[]
  /** It has another path now, or is no more: this is where to look instead. */
  readonly onGone: (path: string) => void
}

/** What can be done with a context that was made here. One that a plugin makes is changed in the plugin. */
export function ContextActions({ context, contexts, onGone }: ContextActionsProps) {
  const mayChange = useMayChange()
  if (!mayChange || context.kind === 'code') return null
  return <DataContextActions context={context} contexts={contexts} onGone={onGone} />
}

function DataContextActions({ context, contexts, onGone }: ContextActionsProps) {
  const [isMoving, moving] = useDisclosure(false)
  const remove = useRemove(context, onGone)
  useCommands([
    {
      id: 'contexts.move',
      title: `Rename or move ${context.path}`,
      group: 'Contexts',
      keys: 'f2',
      icon: IconArrowsMove,
      run: moving.open
    },
    {
      id: 'contexts.delete',
      title: `Delete ${context.path}`,
      group: 'Contexts',
      icon: IconTrash,
      run: remove
    }
  ])
  return (
    <div className={classes.actions}>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconArrowsMove size={15} aria-hidden />}
        onClick={moving.open}
      >
        Rename or move
      </Button>
      <Button
        variant="default"
        size="compact-md"
        c="red"
        leftSection={<IconTrash size={15} aria-hidden />}
        onClick={remove}
      >
        Delete
      </Button>
      <ChangePlaceDialog
        opened={isMoving}
        context={context}
        contexts={contexts}
        onClose={moving.close}
        onMoved={(path) => {
          moving.close()
          onGone(path)
        }}
      />
    </div>
  )
}

function useRemove({ path, parent }: ContextFacts, onGone: (path: string) => void): () => void {
  const confirm = useConfirm()
  const remove = useDeleteContext()
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete ${path}?`,
      body: 'Its variables and settings go with it. This cannot be undone.',
      action: 'Delete',
      isDangerous: true
    })
    if (!isSure) return
    await remove.mutateAsync(path).then(() => {
      notifyDone(`${path} was deleted.`)
      onGone(parent ?? '/')
    }, notifyProblem)
  }
  return () => void ask()
}
