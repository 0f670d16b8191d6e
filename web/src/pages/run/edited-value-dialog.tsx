import { Button, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type JsonValue, jsonIn, writeJson } from '../../../../src/flows/json/exact-json.ts'
import { ProblemNote } from '../../design/problem-note.tsx'
import { PayloadEditor } from '../../file-parts/payload-editor.tsx'
import classes from './run-page.module.css'

interface EditedValueDialogProps {
  readonly title: string
  /** What the value becomes, and what stays as it is. */
  readonly lead: ReactNode
  readonly label: string
  readonly value: JsonValue
  /** What the value is, as in "Back to the input as it was". */
  readonly word: string
  readonly height: number
  readonly action: string
  readonly send: {
    readonly isPending: boolean
    readonly error: Error | null
    /** The value as it is written; `isEdited` where that is no longer as it was. */
    readonly run: (value: JsonValue, isEdited: boolean) => void
  }
  readonly onClose: () => void
}

/** A value that a run had, to be changed and run again with. */
export function EditedValueDialog(props: EditedValueDialogProps) {
  const { title, lead, label, word, height, action, send, onClose } = props
  const [original] = useState(() => writeJson(props.value, 2))
  const [text, setText] = useState(original)
  const [fault, setFault] = useState<string>()
  const value = jsonIn(text)
  return (
    <Modal opened onClose={onClose} title={title} size="xl">
      <Stack>
        <p className={classes.lead}>{lead}</p>
        <PayloadEditor label={label} value={text} onChange={setText} onFault={setFault} height={height} />
        {value === undefined && (
          <p className={classes.fault}>This is not JSON yet, so it cannot be sent. {fault}</p>
        )}
        <ProblemNote error={send.error} />
        <Group justify="space-between">
          <Button variant="subtle" disabled={text === original} onClick={() => setText(original)}>
            Back to the {word} as it was
          </Button>
          <Group>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button
              disabled={value === undefined}
              loading={send.isPending}
              onClick={() => send.run(value!, text !== original)}
            >
              {action}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  )
}
