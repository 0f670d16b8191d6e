import { Button, Group, Modal, Stack, TagsInput } from '@mantine/core'
import { useState } from 'react'
import type { ListedFlow } from '../../api/shapes.ts'
import type { FlowActions } from '../../flow-parts/use-flow-actions.ts'
import { knownTags } from './group-flows.ts'
import { commonTags, tagChanges } from './tag-changes.ts'

interface TagsDialogProps {
  readonly flows: readonly ListedFlow[]
  readonly allFlows: readonly ListedFlow[]
  readonly actions: FlowActions
  readonly onClose: () => void
}

/** The tags of a flow, or those that several flows share. */
export function TagsDialog({ flows, allFlows, actions, onClose }: TagsDialogProps) {
  const before = commonTags(flows)
  const others = knownTags(flows).filter((tag) => !before.includes(tag))
  const [tags, setTags] = useState<readonly string[]>(before)
  const [removed, setRemoved] = useState<readonly string[]>([])
  const [typed, setTyped] = useState('')
  const [isSent, setSent] = useState(false)
  const submit = async (event: React.FormEvent) => {
    event.preventDefault()
    setSent(true)
    const { add, remove } = tagChanges(before, tags)
    await actions.changeTags(flows, { add, remove: [...remove, ...removed] })
    onClose()
  }
  const isOne = flows.length === 1
  return (
    <Modal
      opened
      onClose={onClose}
      title={isOne ? `Tags of ${flows[0]!.name}` : `Tags of ${flows.length} flows`}
    >
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <TagsInput
            label={isOne ? 'Tags' : 'Tags of all of them'}
            description="Short words that help you find flows, such as the customer or the team. Press Enter after each."
            data-autofocus
            data={knownTags(allFlows)}
            searchValue={typed}
            onSearchChange={setTyped}
            // Only while somebody types: it would lie over the buttons.
            dropdownOpened={typed !== ''}
            value={[...tags]}
            onChange={(tags) => setTags(tags.map((tag) => tag.trim()).filter(Boolean))}
            maxTags={50}
            maxLength={40}
            splitChars={[',']}
            acceptValueOnBlur
            clearButtonProps={{ 'aria-label': 'Remove all tags' }}
          />
          {others.length > 0 && (
            <TagsInput
              label="Remove from those that have them"
              placeholder={others.length === 1 ? others[0]! : `${others.slice(0, 2).join(', ')}…`}
              data={others}
              value={[...removed]}
              onChange={(tags) => setRemoved(tags.filter((tag) => others.includes(tag)))}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSent}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
