import { Button, Group, Modal, Stack } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type JsonValue, parseJson, writeJson } from '../../../../../src/flows/json/exact-json.ts'
import { useReplayFromCall } from '../../../api/conversation.ts'
import type { Run, ToolCall } from '../../../api/shapes.ts'
import { notifyDone } from '../../../design/notify.tsx'
import { ProblemNote } from '../../../design/problem-note.tsx'
import { PayloadEditor } from '../../../file-parts/payload-editor.tsx'
import classes from './agent-conversation.module.css'

interface ReplayFromDialogProps {
  readonly run: Run
  readonly node: string
  readonly call: ToolCall
  readonly onClose: () => void
}

/** What a tool gave, to be changed; then the agent goes on from there in a run of its own. */
export function ReplayFromDialog({ run, node, call, onClose }: ReplayFromDialogProps) {
  const navigate = useNavigate()
  const replay = useReplayFromCall(run.id, node)
  const [original] = useState(() => writeJson(call.result ?? call.error ?? null, 2))
  const [text, setText] = useState(original)
  const [fault, setFault] = useState<string>()
  const result = readJson(text)
  const send = () =>
    replay.mutate(
      { call: call.index, ...(text !== original && { result: result!.value }) },
      {
        onSuccess: ({ run_id }) => {
          notifyDone('Replayed')
          onClose()
          void navigate(`/runs/${run_id}`)
        }
      }
    )
  return (
    <Modal opened onClose={onClose} title={`Replay from ${call.name}`} size="xl">
      <Stack>
        <p className={classes.lead}>
          A new run, marked as a test, goes on as if the call had given what stands below. Nothing before it
          is asked or called again. What the agent calls after it, and the nodes that follow the agent, act
          for real.
        </p>
        <PayloadEditor
          label={`Result of ${call.name}`}
          value={text}
          onChange={setText}
          onFault={setFault}
          height={240}
        />
        {result === undefined && (
          <p className={classes.error}>This is not JSON yet, so it cannot be sent. {fault}</p>
        )}
        <ProblemNote error={replay.error} />
        <Group justify="space-between">
          <Button variant="subtle" disabled={text === original} onClick={() => setText(original)}>
            Back to the result as it was
          </Button>
          <Group>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button disabled={result === undefined} loading={replay.isPending} onClick={send}>
              Replay from here
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
