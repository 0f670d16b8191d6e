import { Anchor, Button, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FileValue } from '../../../src/flows/file-value.ts'
import { withSignsShown } from '../../../src/flows/template/signs-shown.ts'
import { useApi } from '../api/api-context.ts'
import { type FileBytes, fileAddress, fileQuery } from '../api/files.ts'
import { problemOf } from '../api/problem.ts'
import { byteSize } from '../design/byte-size.ts'
import { IconDownload, IconFile } from '../design/icons/file-icons.ts'
import { IconPhoto, IconTable } from '../design/icons/page-icons.ts'
import { type FileKind, kindOf } from './file-kind.ts'
import classes from './file-view.module.css'
import { PdfFrame } from './pdf-frame.tsx'
import { Picture } from './picture.tsx'
import { TableOfFile, TextOfFile } from './text-of-file.tsx'

export interface FileViewProps {
  readonly file: FileValue
  /** In a cell of a table: its name, and a picture where it is one. */
  readonly isSmall?: boolean
}

/** Of a text there is no more to see at a glance; of anything else only its being there is asked. */
const BEGINNING = 65_536
/** Pictures and pages are of no use in part: larger ones are loaded for who asks for them. */
const UNASKED = 5_000_000
const MOST_SHOWN = 50_000_000

const READ: Record<FileKind, number> = {
  picture: MOST_SHOWN,
  pdf: MOST_SHOWN,
  table: BEGINNING,
  text: BEGINNING,
  other: 1
}

export function FileView({ file, isSmall = false }: FileViewProps) {
  const api = useApi()
  const place = useRef<HTMLElement>(null)
  const kind = kindOf(file)
  const isSeen = useSeen(place)
  const [isAsked, setAsked] = useState(false)
  const isLong = READ[kind] > BEGINNING && file.size > UNASKED
  const isWanted = isSeen && (!isLong || isAsked) && (!isSmall || kind === 'picture')
  const { data, error, isLoading } = useQuery({
    ...fileQuery(api, file.file, READ[kind]),
    enabled: isWanted
  })
  const isGone = error !== null && problemOf(error).status === 404
  return (
    <figure ref={place} className={classes.file} data-small={isSmall || undefined} aria-label={nameOf(file)}>
      <figcaption className={classes.head}>
        <KindIcon kind={kind} />
        <span className={classes.name}>{withSignsShown(nameOf(file))}</span>
        <span className={classes.facts}>
          {withSignsShown(file.content_type)} · {byteSize(file.size)}
        </span>
        {!isGone && (
          <Anchor
            className={classes.download}
            href={fileAddress(api, file.file)}
            download={file.filename}
            aria-label={`Download ${nameOf(file)}`}
            title="Download"
          >
            <IconDownload size={16} aria-hidden />
          </Anchor>
        )}
        {isLoading && <Loader size={14} aria-label="Loading the file" />}
      </figcaption>
      {isLong && !isAsked && !isSmall && file.size <= MOST_SHOWN && (
        <Button variant="default" size="compact-sm" onClick={() => setAsked(true)}>
          Show it ({byteSize(file.size)})
        </Button>
      )}
      {isGone && (
        <p className={classes.note}>This file is gone: it was deleted with the last run that named it.</p>
      )}
      {error !== null && !isGone && <p className={classes.note}>{problemOf(error).detail}</p>}
      {data !== undefined && <Shown {...{ file, kind, data, isSmall }} />}
    </figure>
  )
}

interface ShownProps {
  readonly file: FileValue
  readonly kind: FileKind
  readonly data: FileBytes
  readonly isSmall: boolean
}

function Shown({ file, kind, data, isSmall }: ShownProps) {
  const isWhole = data.bytes.length === data.size
  if (kind === 'picture' && isWhole) return <Picture file={file} bytes={data.bytes} isSmall={isSmall} />
  if (kind === 'pdf' && isWhole) return <PdfFrame file={file} bytes={data.bytes} />
  if (kind === 'table') return <TableOfFile file={file} data={data} />
  if (kind === 'text') return <TextOfFile file={file} data={data} />
  return null
}

function KindIcon({ kind }: { readonly kind: FileKind }) {
  const Icon = kind === 'picture' ? IconPhoto : kind === 'table' ? IconTable : IconFile
  return <Icon size={16} aria-hidden />
}

function nameOf({ filename }: FileValue): string {
  return filename === '' ? 'File without a name' : filename
}

/** Whether it has been on the screen: a list may name a thousand files. */
function useSeen(place: React.RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    watcher.observe(place.current!)
    return () => watcher.disconnect()
  }, [place])
  return isSeen
}
