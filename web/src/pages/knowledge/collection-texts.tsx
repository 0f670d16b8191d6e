import { Button, FileButton } from '@mantine/core'
import { useState } from 'react'
import {
  type Collection,
  type CollectionText,
  useDeleteText,
  usePieces,
  useTexts,
  useUploadDocument
} from '../../api/collections.ts'
import { useConfirm } from '../../design/confirm.tsx'
import { DropZone } from '../../design/drop-zone.tsx'
import { EmptyState } from '../../design/empty-state.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { IconBook } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { ProblemNote } from '../../design/problem-note.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import classes from './knowledge-page.module.css'
import { countOf } from './knowledge-page.tsx'

interface TextsProps {
  readonly collection: Collection
  readonly mayWrite: boolean
}

/** What a collection holds, text by text; documents that are dropped here become texts. */
export function CollectionTexts({ collection: { id }, mayWrite }: TextsProps) {
  const texts = useTexts(id)
  const upload = useUploadDocument(id)
  const [waiting, setWaiting] = useState(0)
  const found = texts.data?.pages.flatMap((page) => page.texts) ?? []
  const take = async (files: readonly File[]) => {
    setWaiting((count) => count + files.length)
    // One after the other: each is read in a process that others wait for too.
    for (const file of files) {
      await upload.mutateAsync(file).catch(() => {})
      setWaiting((count) => count - 1)
    }
  }
  return (
    <DropZone
      isActive={mayWrite}
      invitation="Drop documents to add their texts"
      onFiles={(all) => void take(all)}
    >
      <div className={classes.section}>
        <h2>Texts</h2>
        {mayWrite && (
          <FileButton multiple onChange={(files) => void take(files)}>
            {(props) => (
              <Button {...props} variant="default" loading={waiting > 0}>
                Upload documents
              </Button>
            )}
          </FileButton>
        )}
      </div>
      <ProblemNote error={upload.error} />
      {texts.isPending && <LoadingState rows={3} height={56} />}
      {texts.error !== null && texts.data === undefined && (
        <ErrorState error={texts.error} onRetry={() => void texts.refetch()} />
      )}
      {texts.data !== undefined && found.length === 0 && (
        <EmptyState icon={IconBook} title="No texts yet" help="knowledge">
          Upload PDF, Word, Excel, PowerPoint, mails, HTML or text, or let a flow write them with Knowledge
          Write.
        </EmptyState>
      )}
      {found.length > 0 && (
        <ul className={classes.list} aria-label="Texts">
          {found.map((text) => (
            <TextRow key={text.id} collection={id} text={text} mayWrite={mayWrite} />
          ))}
        </ul>
      )}
      {texts.hasNextPage && (
        <Button
          variant="subtle"
          mt="sm"
          loading={texts.isFetchingNextPage}
          onClick={() => void texts.fetchNextPage()}
        >
          More texts
        </Button>
      )}
    </DropZone>
  )
}

interface RowProps {
  readonly collection: string
  readonly text: CollectionText
  readonly mayWrite: boolean
}

function TextRow({ collection, text, mayWrite }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  const remove = useDeleteText(collection)
  const confirm = useConfirm()
  const removeIt = async () => {
    const title = `Delete “${text.id}”?`
    const body = 'No search finds it any more. Writing it again brings it back.'
    if (await confirm({ title, body, action: 'Delete text' })) remove.mutate(text.id)
  }
  const metadata = Object.entries(text.metadata)
  return (
    <li className={classes.row}>
      <div className={classes.summary}>
        <button
          type="button"
          className={classes.open}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {text.id}
        </button>
        <div className={classes.about}>
          <span>{countOf(text.chunks, 'piece')}</span>
          <RelativeTime at={text.updated_at} />
          {metadata.slice(0, 6).map(([name, value]) => (
            <span key={name}>
              {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
            </span>
          ))}
        </div>
        <ProblemNote error={remove.error} />
      </div>
      {mayWrite && (
        <Button variant="subtle" size="compact-sm" color="red" onClick={() => void removeIt()}>
          Delete
        </Button>
      )}
      {isOpen && <Pieces collection={collection} text={text.id} />}
    </li>
  )
}

function Pieces({ collection, text }: { readonly collection: string; readonly text: string }) {
  const { data, error, refetch } = usePieces(collection, text)
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <LoadingState rows={1} height={56} />
  return (
    <ol className={classes.pieces} aria-label={`Pieces of ${text}`}>
      {data.pieces.map((piece) => (
        <li key={piece.place}>
          <p className={classes.text}>{piece.text}</p>
        </li>
      ))}
      {data.next !== null && <p className={classes.about}>The first {data.pieces.length} are shown.</p>}
    </ol>
  )
}
