import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { type Collection, useCollections } from '../../api/collections.ts'
import { useMay } from '../../api/session.ts'
import { EmptyState } from '../../design/empty-state.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { IconBook, IconPlus } from '../../design/icons/page-icons.ts'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { RelativeTime } from '../../design/relative-time.tsx'
import classes from './knowledge-page.module.css'
import { NewCollectionDialog } from './new-collection-dialog.tsx'

/** The collections that the key sees. */
export function KnowledgePage() {
  const { data, error, isPending, refetch } = useCollections()
  const mayWrite = useMay('write')
  const [isMaking, setMaking] = useState(false)
  const make = mayWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setMaking(true)}>
      New collection
    </Button>
  )
  return (
    <Page>
      <PageHeader title="Knowledge" actions={make}>
        Collections of texts that flows find again, by their words and by what they mean. Knowledge Write
        fills one, Knowledge Search and agents ask it.
      </PageHeader>
      {isPending && <LoadingState rows={3} height={64} />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <EmptyState icon={IconBook} title="No collections yet" help="knowledge" actions={make}>
          Make one, upload documents, and let a flow search it: what it finds goes to a Language Model or an
          Agent.
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={classes.list} aria-label="Collections">
          {data.map((collection) => (
            <CollectionRow key={collection.id} collection={collection} />
          ))}
        </ul>
      )}
      <NewCollectionDialog opened={isMaking} onClose={() => setMaking(false)} />
    </Page>
  )
}

function CollectionRow({ collection }: { readonly collection: Collection }) {
  const { id, name, context, count, chunks, model, updated_at } = collection
  return (
    <li className={classes.row}>
      <div className={classes.summary}>
        <div className={classes.line}>
          <Link to={`/knowledge/${id}`} className={classes.name}>
            {name}
          </Link>
          <span className={classes.tag}>{context}</span>
        </div>
        <div className={classes.about}>
          <span>{countOf(count, 'text')}</span>
          <span>{countOf(chunks, 'piece')}</span>
          <span>{model ?? 'By words alone'}</span>
        </div>
      </div>
      <span className={classes.about}>
        <RelativeTime at={updated_at} />
      </span>
    </li>
  )
}

export function countOf(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}
