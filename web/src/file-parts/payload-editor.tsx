import { ActionIcon, Button, FileButton } from '@mantine/core'
import { useMemo, useRef } from 'react'
import { withSignsShown } from '../../../src/flows/template/signs-shown.ts'
import { DropZone } from '../design/drop-zone.tsx'
import { IconPaperclip } from '../design/icons/file-icons.ts'
import { IconX } from '../design/icons/page-icons.ts'
import { JsonEditor, type JsonEditorProps } from '../design/json-editor/json-editor.tsx'
import { filesInText } from './files-in.ts'
import classes from './payload-editor.module.css'
import { putFile, type Selection } from './put-file.ts'
import { ShownFiles } from './shown-file.tsx'
import { takePasted } from './take-pasted.ts'
import { type Upload, type Uploads, useUploads } from './use-uploads.ts'

/** JSON that a run is to begin with. Files that are dropped on it, pasted or chosen are stored, and written into it. */
export function PayloadEditor(props: JsonEditorProps) {
  const { value, onChange } = props
  // By the time that a file is stored somebody may have typed, or moved on.
  const text = useRef(value)
  text.current = value
  const selection = useRef<Selection>(undefined)
  const uploads = useUploads((file) => {
    const end = { from: text.current.length, to: text.current.length }
    text.current = putFile(text.current, file, selection.current ?? end)
    onChange(text.current)
  })
  const files = useMemo(() => filesInText(value), [value])
  return (
    <DropZone onFiles={uploads.begin} isActive invitation="Drop files to put them into the payload">
      <div className={classes.editor} onPasteCapture={(event) => takePasted(event, uploads.begin)}>
        <div className={classes.bar}>
          <FileButton onChange={uploads.begin} multiple>
            {(open) => (
              <Button
                {...open}
                variant="subtle"
                size="compact-sm"
                leftSection={<IconPaperclip size={14} aria-hidden />}
              >
                Add files
              </Button>
            )}
          </FileButton>
          <span className={classes.hint}>or drop them here</span>
        </div>
        <JsonEditor {...props} onSelect={(range) => (selection.current = range)} />
        <UploadList uploads={uploads} />
        {files.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a room that scrolls has to be reached by keyboard.
          <section className={classes.files} tabIndex={0} aria-label="Files in the payload">
            <ShownFiles files={files} />
          </section>
        )}
      </div>
    </DropZone>
  )
}

function UploadList({ uploads: { list, drop } }: { readonly uploads: Uploads }) {
  return (
    <ul className={classes.uploads} aria-label="Files on their way" hidden={list.length === 0}>
      {list.map((upload) => (
        <li key={upload.key}>
          <UploadLine upload={upload} />
          <ActionIcon
            size="sm"
            aria-label={`${upload.problem === undefined ? 'Stop sending' : 'Dismiss'} ${upload.name}`}
            onClick={() => drop(upload.key)}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </li>
      ))}
    </ul>
  )
}

function UploadLine({ upload: { name, part, problem } }: { readonly upload: Upload }) {
  const shown = withSignsShown(name)
  if (problem !== undefined) {
    return (
      <span className={classes.problem} role="alert">
        <strong>{shown}</strong> {problem}
      </span>
    )
  }
  return (
    <>
      <span className={classes.name}>{shown}</span>
      <progress className={classes.progress} value={part} aria-label={`Sending ${name}`} />
    </>
  )
}
