import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { type JsonValue, parseJson, writeJson } from '../../../../src/flows/json/exact-json.ts'
import type { Run } from '../../api/shapes.ts'
import { ProblemNote } from '../../design/problem-note.tsx'
import { PayloadEditor } from '../../file-parts/payload-editor.tsx'
import classes from './run-page.module.css'
import type { RunActions } from './use-run-actions.ts'

interface EditReplayDialogProps {
  readonly run: Run
  readonly actions: RunActions
  readonly onClose: () => void
}

/** The input of a run, to be changed and run again. The run itself stays as it is. */
export function EditReplayDialog({ run, actions: { replay }, onClose }: EditReplayDialogProps) {
  const [original] = useState(() => writeJson(run.input, 2))
  const [text, setText] = useState(original)
  const [fault, setFault] = useState<string>()
  const input = readJson(text)
  return (
    <Modal opened onClose={onClose} title="Edit and replay" size="xl">
      <Stack>
        <p className={classes.lead}>
          The value below becomes the whole input of a new run on the live version of the flow. This run stays
          as it is.
        </p>
        <PayloadEditor
          label="Input of the new run"
          value={text}
          onChange={setText}
          onFault={setFault}
          height={280}
        />
        {input === undefined && (
          <p className={classes.fault}>This is not JSON yet, so it cannot be sent. {fault}</p>
        )}
        <ProblemNote error={replay.error} />
        <Group justify="space-between">
          <Button variant="subtle" disabled={text === original} onClick={() => setText(original)}>
            Back to the input as it was
          </Button>
          <Group>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button
              disabled={input === undefined}
              loading={replay.isPending}
              onClick={() => replay.mutate(input!.value, { onSuccess: onClose })}
            >
              Replay with this input
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  )
}

function readJson(text: string): { readonly value: JsonValue } | undefined {
  try {
    return { value: parseJson(text) }
  } catch {
    return undefined
  }
}
