import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { notifyDone, notifyRefusal } from '../../../design/notify.tsx'
import { useEditorState } from '../editor-context.ts'
import { type Published, useSaving } from '../session/saving-context.ts'
import { useHasChanges } from './use-has-changes.ts'

/** Makes what is drawn live. */
export function PublishButton() {
  const saving = useSaving()
  const isReadOnly = useEditorState((state) => state.isReadOnly)
  const hasChanges = useHasChanges()
  const publish = useMutation({ mutationFn: () => saving.publish({}), onSuccess: tell })
  if (isReadOnly) return null
  return (
    <Button
      size="compact-sm"
      variant={hasChanges ? 'filled' : 'default'}
      disabled={!hasChanges}
      loading={publish.isPending}
      onClick={() => publish.mutate()}
    >
      Publish
    </Button>
  )
}

function tell(published: Published): void {
  switch (published.kind) {
    case 'published':
      return notifyDone(`Version ${published.flow.version} is live.`)
    case 'nothing to publish':
      return notifyDone('What is live is what you see.')
    case 'not saved':
      return notifyRefusal('Not published', 'The draft is not saved yet. What is beside the name says why.')
    case 'changed meanwhile':
      return notifyRefusal(
        'Not published',
        'Somebody else has changed the flow meanwhile. Look at it, and publish again.'
      )
    case 'refused':
      return notifyRefusal('Not published', published.problem.errors[0]?.message ?? published.problem.detail)
  }
}
