import type { FileValue } from '../../../../src/flows/file-value.ts'
import { byteSize } from '../../design/byte-size.ts'
import { IconX } from '../../design/icons/page-icons.ts'
import type { Uploads } from '../../file-parts/use-uploads.ts'
import classes from './composer.module.css'

interface AttachedFilesProps {
  readonly files: readonly FileValue[]
  readonly uploads: Uploads
  readonly onDrop: (file: FileValue) => void
}

/** What goes with the next message, and what is on its way to the service. */
export function AttachedFiles({ files, uploads, onDrop }: AttachedFilesProps) {
  if (files.length === 0 && uploads.list.length === 0) return null
  return (
    <ul className={classes.files} aria-label="Attached files">
      {files.map((file) => (
        <li key={file.file}>
          <span className={classes.fileName}>{file.filename}</span>
          <span className={classes.fileSize}>{byteSize(file.size)}</span>
          <Remove name={file.filename} onClick={() => onDrop(file)} />
        </li>
      ))}
      {uploads.list.map(({ key, name, part, problem }) => (
        <li key={key} data-failed={problem !== undefined || undefined}>
          <span className={classes.fileName}>{name}</span>
          <span className={classes.fileSize}>{problem ?? `${Math.round(part * 100)} %`}</span>
          <Remove name={name} onClick={() => uploads.drop(key)} />
        </li>
      ))}
    </ul>
  )
}

function Remove({ name, onClick }: { readonly name: string; readonly onClick: () => void }) {
  return (
    <button type="button" className={classes.remove} aria-label={`Remove ${name}`} onClick={onClick}>
      <IconX size={14} aria-hidden />
    </button>
  )
}
