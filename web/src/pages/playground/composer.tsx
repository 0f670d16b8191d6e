import { ActionIcon, FileButton, Textarea } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { FileValue } from '../../../../src/flows/file-value.ts'
import { useOpening } from '../../api/live.ts'
import { type DraftTurns, useSendTurn } from '../../api/messages.ts'
import { problemOf, UNREACHABLE } from '../../api/problem.ts'
import { useMay } from '../../api/session.ts'
import { DropZone } from '../../design/drop-zone.tsx'
import { IconPaperclip } from '../../design/icons/file-icons.ts'
import { IconSend2 } from '../../design/icons/page-icons.ts'
import { ProblemNote } from '../../design/problem-note.tsx'
import { takePasted } from '../../file-parts/take-pasted.ts'
import { useUploads } from '../../file-parts/use-uploads.ts'
import { useCommands } from '../../shell/commands.ts'
import { AttachedFiles } from './attached-files.tsx'
import classes from './composer.module.css'

export interface Proposed {
  readonly text: string
}

interface ComposerProps {
  readonly flow: string
  readonly session: string
  readonly drafts?: DraftTurns | undefined
  /** A text to be changed and sent; each new one takes the place of what stands there. */
  readonly proposed: Proposed | undefined
  readonly onSent: (runId: string, text: string) => void
}

/** Where a person types a turn. What could not be sent stays in the field, with the reason above it. */
export function Composer({ flow, session, drafts, proposed, onSent }: ComposerProps) {
  const [text, setText] = useState('')
  const [files, setFiles] = useState<readonly FileValue[]>([])
  const uploads = useUploads((file) => setFiles((before) => [...before, file]))
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (proposed === undefined) return
    setText(proposed.text)
    field.current?.focus()
  }, [proposed])
  const send = useSendTurn(flow, drafts)
  useForgetUnreachable(send)
  const mayTrigger = useMay('trigger')
  useCommands([
    {
      id: 'playground.write',
      title: 'Write a message',
      group: 'Playground',
      keys: 'i',
      run: () => field.current?.focus()
    }
  ])
  const canSend = text.trim() !== '' && uploads.list.every(({ problem }) => problem !== undefined)
  const submit = () => {
    if (!canSend || send.isPending) return
    send.mutate(
      { text, session, ...(files.length > 0 && { files }) },
      {
        onSuccess: ({ run_id }) => {
          setText('')
          setFiles([])
          onSent(run_id, text)
          field.current?.focus()
        }
      }
    )
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    // Enter also ends the composition of a word in Chinese, Japanese and Korean.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }
  if (!mayTrigger) return <p className={classes.refused}>This key may read, but not start runs.</p>
  return (
    <DropZone onFiles={uploads.begin} isActive invitation="Drop files to send them along">
      <form
        className={classes.composer}
        onPaste={(event) => takePasted(event, uploads.begin)}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {send.error !== null && (
          <div className={classes.problem}>
            <ProblemNote error={send.error} />
          </div>
        )}
        <AttachedFiles
          files={files}
          uploads={uploads}
          onDrop={(file) => setFiles(files.filter((each) => each !== file))}
        />
        <div className={classes.line}>
          <FileButton onChange={uploads.begin} multiple>
            {(open) => (
              <ActionIcon {...open} size={36} aria-label="Attach files">
                <IconPaperclip size={18} aria-hidden />
              </ActionIcon>
            )}
          </FileButton>
          <Textarea
            ref={field}
            className={classes.field!}
            aria-label="Message"
            placeholder="Write a message"
            autosize
            minRows={1}
            maxRows={8}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            // Not disabled while it is sent: the field would lose the focus.
            readOnly={send.isPending}
          />
          <ActionIcon
            type="submit"
            size={36}
            variant="filled"
            color="mill"
            aria-label="Send"
            loading={send.isPending}
            disabled={!canSend}
          >
            <IconSend2 size={18} aria-hidden />
          </ActionIcon>
        </div>
        <p className={classes.hint}>
          {drafts !== undefined && 'Runs what is drawn, as a test. '}Enter sends, Shift+Enter starts a new
          line.
        </p>
      </form>
    </DropZone>
  )
}

/** That nothing answered is no longer so when the stream of events is open again. */
function useForgetUnreachable(send: ReturnType<typeof useSendTurn>): void {
  const opening = useOpening()
  const latest = useRef(send)
  useEffect(() => {
    latest.current = send
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: done whenever the stream is opened, and then only.
  useEffect(() => {
    const { error, reset } = latest.current
    if (error !== null && problemOf(error).code === UNREACHABLE) reset()
  }, [opening])
}
