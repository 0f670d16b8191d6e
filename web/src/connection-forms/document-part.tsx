import { Button, FileButton, Input, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useChangeDocument, useConnectionDocument } from '../api/operations.ts'
import { ApiProblem } from '../api/problem.ts'
import { ProblemNote } from '../design/problem-note.tsx'
import classes from './connection-form.module.css'

interface DocumentPartProps {
  /** The id of the connection. */
  readonly connection: string
}

/** The OpenAPI document of the API that a connection leads to: given at once, and not with the rest of the form. */
export function DocumentPart({ connection }: DocumentPartProps) {
  const document = useConnectionDocument(connection)
  const change = useChangeDocument(connection)
  const [isPasting, setPasting] = useState(false)
  const [isOver, setOver] = useState(false)
  const send = (text: string | null) => change.mutate(text, { onSuccess: () => setPasting(false) })
  const sendFile = async (file: File | null | undefined) => {
    if (file !== null && file !== undefined) send(await file.text())
  }
  const failed = isNone(document.error) ? null : document.error
  return (
    <Input.Wrapper
      label="OpenAPI document"
      description="What the API offers: then its operations can be chosen in flows. OpenAPI 3 or Swagger 2, as JSON or YAML. It is saved at once."
      labelElement="div"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: what can be dropped here can be chosen by the buttons too. */}
      <div
        className={classes.document}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          void sendFile(event.dataTransfer.files[0])
        }}
      >
        <p className={classes.told} role="status">
          {change.isPending ? 'Reading the document…' : told(document.data)}
        </p>
        <div className={classes.stored}>
          <FileButton accept=".json,.yaml,.yml" onChange={(file) => void sendFile(file)}>
            {(props) => (
              <Button {...props} variant="default" size="xs" loading={change.isPending}>
                Choose a file
              </Button>
            )}
          </FileButton>
          <Button variant="default" size="xs" onClick={() => setPasting(!isPasting)}>
            Paste it
          </Button>
          {document.data !== undefined && (
            <Button variant="subtle" color="red" size="xs" onClick={() => send(null)}>
              Remove the document
            </Button>
          )}
        </div>
        {isPasting && <PastedDocument isPending={change.isPending} onSend={send} />}
      </div>
      <ProblemNote error={change.error ?? failed} />
    </Input.Wrapper>
  )
}

function isNone(error: unknown): boolean {
  return error instanceof ApiProblem && error.problem.code === 'document_not_found'
}

function told(document: ReturnType<typeof useConnectionDocument>['data']): string {
  if (document === undefined) return 'None yet. Drop a file here.'
  const { title, version, format, operations } = document
  return `${[title, version].filter((part) => part !== '').join(' ')}: ${operations} operations (${format}).`
}

interface PastedDocumentProps {
  readonly isPending: boolean
  readonly onSend: (text: string) => void
}

function PastedDocument({ isPending, onSend }: PastedDocumentProps) {
  const [text, setText] = useState('')
  return (
    <div className={classes.replacing}>
      <Textarea
        aria-label="Text of the document"
        rows={6}
        value={text}
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button size="xs" disabled={text.trim() === ''} loading={isPending} onClick={() => onSend(text)}>
        Use this document
      </Button>
    </div>
  )
}
