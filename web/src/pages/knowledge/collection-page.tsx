import { Button } from '@mantine/core'
import { Link, useNavigate, useParams } from 'react-router'
import { type Collection, useCollection, useDeleteCollection } from '../../api/collections.ts'
import { useMay } from '../../api/session.ts'
import { useConfirm } from '../../design/confirm.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { LoadingState } from '../../design/loading-state.tsx'
import { Page } from '../../design/page.tsx'
import { PageHeader } from '../../design/page-header.tsx'
import { ProblemNote } from '../../design/problem-note.tsx'
import { CollectionSearch } from './collection-search.tsx'
import { CollectionTexts } from './collection-texts.tsx'
import classes from './knowledge-page.module.css'
import { countOf } from './knowledge-page.tsx'

/** One collection: searched as a flow would, and what is in it. */
export function CollectionPage() {
  const { collection: id = '' } = useParams()
  const { data, error, isPending, refetch } = useCollection(id)
  return (
    <Page>
      {isPending && <LoadingState rows={3} height={64} />}
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Shown collection={data} />}
    </Page>
  )
}

function Shown({ collection }: { readonly collection: Collection }) {
  const { id, name, context, count, chunks, model, connection, pending = 0 } = collection
  const mayWrite = useMay('write')
  const remove = useDeleteCollection()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const removeIt = async () => {
    const isMeant = await confirm({
      title: `Delete the collection “${name}”?`,
      body: `${countOf(count, 'text')} go with it. Flows that name it fail from then on.`,
      action: 'Delete collection'
    })
    if (isMeant) remove.mutate(id, { onSuccess: () => void navigate('/knowledge') })
  }
  return (
    <>
      <PageHeader
        title={name}
        actions={
          <>
            <Button component={Link} to="/knowledge" variant="default">
              All collections
            </Button>
            {mayWrite && (
              <Button color="red" variant="default" onClick={() => void removeIt()}>
                Delete
              </Button>
            )}
          </>
        }
      />
      <ProblemNote error={remove.error} />
      <div className={classes.facts}>
        <span>In {context}</span>
        <span>{countOf(count, 'text')}</span>
        <span>{countOf(chunks, 'piece')}</span>
        <span>{model === null ? 'Found by words alone' : `${model}, by ${connection}`}</span>
        {pending > 0 && <span role="status">{countOf(pending, 'text')} wait for the model</span>}
      </div>
      <CollectionSearch collection={collection} />
      <CollectionTexts collection={collection} mayWrite={mayWrite} />
    </>
  )
}
