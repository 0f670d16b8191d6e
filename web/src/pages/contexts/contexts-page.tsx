import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useContexts } from '../../api/contexts.ts'
import { ErrorState } from '../../design/error-state.tsx'
import { IconPlus } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { useCommands } from '../../shell/commands.ts'
import { NewContextDialog } from './change/new-context-dialog.tsx'
import { useMayChange } from './change/use-may-change.ts'
import { ContextsView } from './contexts-view.tsx'
import { useChosenContext } from './use-chosen-context.ts'

export function ContextsPage() {
  const contexts = useContexts()
  const chosen = useChosenContext(contexts.data ?? [])
  const mayChange = useMayChange()
  const [isDialogOpen, dialog] = useDisclosure(false)
  useCommands(
    mayChange
      ? [
          {
            id: 'contexts.new',
            title: 'New context',
            group: 'Contexts',
            keys: 'n',
            icon: IconPlus,
            run: dialog.open
          }
        ]
      : []
  )
  return (
    <Page>
      <PageHeader
        title="Contexts"
        actions={
          mayChange && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
              New context
            </Button>
          )
        }
      >
        A context decides what the flows inside it can use: what is registered in itself and in those above
        it, never what is below or beside it.
      </PageHeader>
      {contexts.isPending && <LoadingState rows={3} height={96} />}
      {contexts.error !== null && contexts.data === undefined && (
        <ErrorState error={contexts.error} onRetry={() => void contexts.refetch()} />
      )}
      {contexts.data !== undefined && <ContextsView contexts={contexts.data} chosen={chosen} />}
      {contexts.data !== undefined && (
        <NewContextDialog
          opened={isDialogOpen}
          contexts={contexts.data}
          parent={chosen.context?.path ?? '/'}
          onClose={dialog.close}
          onMade={(path) => {
            dialog.close()
            chosen.choose(path)
          }}
        />
      )}
    </Page>
  )
}
