import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { coversContext } from '../../../../../src/keys/rights.ts'
import { useApi } from '../../../api/api-context.ts'
import { type KeptSummary, keptQuery } from '../../../api/kept.ts'
import { useMay, useSession } from '../../../api/session.ts'
import { EmptyState } from '../../../design/empty-state.tsx'
import { ErrorState } from '../../../design/error-state.tsx'
import { IconArchive } from '../../../design/icons/component-icons.ts'
import { IconLock, IconPlus, IconSearchOff } from '../../../design/icons/page-icons.ts'
import { LoadingState } from '../../../design/loading-state.tsx'
import { SearchField } from '../../../shell/search-field.tsx'
import { type EditedValue, KeptDialog } from './kept-dialog.tsx'
import { KeptRow } from './kept-row.tsx'
import classes from './kept-tab.module.css'

/** What the flows of a context keep for later runs. */
export function KeptTab({ context }: { readonly context: string }) {
  const session = useSession()
  const mayRead = useMay('read')
  const covers = session !== undefined && coversContext({ ...session, flowId: session.flow_id }, context)
  return covers && mayRead ? <KeptValues key={context} context={context} /> : <NotForThisKey />
}

function KeptValues({ context }: { readonly context: string }) {
  const mayWrite = useMay('write')
  const [text, setText] = useState('')
  const [prefix] = useDebouncedValue(text, 200)
  const [edited, setEdited] = useState<EditedValue>()
  const kept = useInfiniteQuery({
    ...keptQuery(useApi(), context, prefix),
    placeholderData: keepPreviousData
  })
  const values = kept.data?.pages.flatMap((page) => page.values)
  const create = () => setEdited({ kind: 'new' })
  if (values === undefined)
    return kept.error === null ? (
      <LoadingState rows={3} height={56} />
    ) : (
      <ErrorState error={kept.error} onRetry={() => void kept.refetch()} />
    )
  const isEmpty = values.length === 0 && prefix === ''
  return (
    <>
      {!isEmpty && (
        <div className={classes.search}>
          <SearchField
            command={{ id: 'kept.search', title: 'Search kept values', group: 'Contexts' }}
            placeholder="Beginning of the key"
            text={text}
            onChange={setText}
          />
          {mayWrite && (
            <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
              Keep a value
            </Button>
          )}
        </div>
      )}
      {isEmpty && <NothingKept {...(mayWrite && { onCreate: create })} />}
      {!isEmpty && values.length === 0 && <NothingFound prefix={prefix} onShowAll={() => setText('')} />}
      {values.length > 0 && (
        <Rows context={context} values={values} onOpen={({ key }) => setEdited({ kind: 'kept', key })} />
      )}
      {kept.hasNextPage && (
        <Button
          variant="default"
          className={classes.more!}
          loading={kept.isFetchingNextPage}
          onClick={() => void kept.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      <KeptDialog context={context} edited={edited} onClose={() => setEdited(undefined)} />
    </>
  )
}

interface RowsProps {
  readonly context: string
  readonly values: readonly KeptSummary[]
  readonly onOpen: (value: KeptSummary) => void
}

function Rows({ context, values, onOpen }: RowsProps) {
  return (
    <ul className={classes.list} aria-label="Kept values">
      {values.map((value) => (
        <KeptRow key={value.key} context={context} value={value} onOpen={() => onOpen(value)} />
      ))}
    </ul>
  )
}

function NothingKept({ onCreate }: { readonly onCreate?: () => void }) {
  return (
    <EmptyState
      icon={IconArchive}
      title="Nothing is kept here"
      help="keep"
      actions={
        onCreate && (
          <Button variant="default" onClick={onCreate}>
            Keep a value
          </Button>
        )
      }
    >
      Put a Keep into a flow of this context: it remembers something from one run to the next, such as a count
      of mails to each customer, or where the last poll ended.
    </EmptyState>
  )
}

function NothingFound({ prefix, onShowAll }: { readonly prefix: string; readonly onShowAll: () => void }) {
  return (
    <EmptyState
      icon={IconSearchOff}
      title={`No key begins with “${prefix}”`}
      actions={
        <Button variant="default" onClick={onShowAll}>
          Show all
        </Button>
      }
    >
      Upper and lower case are different.
    </EmptyState>
  )
}

function NotForThisKey() {
  return (
    <EmptyState icon={IconLock} title="This key may not read kept values here">
      Sign in with a key that has the right “read” for this context and is not bound to a flow.
    </EmptyState>
  )
}
