import { Button, Group, Modal, Stack } from '@mantine/core'
import type { NewKey } from '../../api/keys.ts'
import { CopyButton } from '../../design/copy-button.tsx'
import classes from './keys-page.module.css'

interface ShownOnceDialogProps {
  readonly made: NewKey | undefined
  readonly onClose: () => void
}

/** A key is shown in this dialog and nowhere else, so no click beside it closes it. */
export function ShownOnceDialog({ made, onClose }: ShownOnceDialogProps) {
  return (
    <Modal
      opened={made !== undefined}
      onClose={onClose}
      title={made === undefined ? '' : `The key “${made.name}”`}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size="lg"
    >
      {made !== undefined && (
        <Stack gap="md">
          <p className={classes.warning}>
            Copy it now and keep it in a safe place. It is shown only once; Millrace keeps nothing but a hash.
          </p>
          <div className={classes.secret}>
            <code data-testid="new-key">{made.key}</code>
            <CopyButton text={made.key} label="Copy the key">
              Copy
            </CopyButton>
          </div>
          <Group justify="flex-end">
            <Button onClick={onClose}>I saved it</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
