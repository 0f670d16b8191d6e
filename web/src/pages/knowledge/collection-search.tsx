import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Collection, type SearchMode, useSearchCollection } from '../../api/collections.ts'
import { ProblemNote } from '../../design/problem-note.tsx'
import classes from './knowledge-page.module.css'

const MODES: readonly SearchMode[] = ['Both', 'Meaning', 'Words']

/** The same search as that of Knowledge Search. */
export function CollectionSearch({ collection: { id, model } }: { readonly collection: Collection }) {
  const search = useSearchCollection(id)
  const [query, setQuery] = useState('')
  const [mode, setMode] = useState<SearchMode>(model === null ? 'Words' : 'Both')
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    search.mutate({ query, mode })
  }
  return (
    <>
      <form className={classes.search} onSubmit={submit} aria-label="Search the collection">
        <TextInput
          className={classes.query!}
          aria-label="Question or words"
          placeholder="A question, or words"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        {model !== null && (
          <SegmentedControl
            aria-label="Search by"
            value={mode}
            onChange={(value) => setMode(value as SearchMode)}
            data={[...MODES]}
          />
        )}
        <Button type="submit" loading={search.isPending} disabled={query.trim() === ''}>
          Search
        </Button>
      </form>
      <ProblemNote error={search.error} />
      {search.data?.length === 0 && <p role="status">Nothing was found.</p>}
      {search.data !== undefined && search.data.length > 0 && (
        <ol className={classes.list} aria-label="What was found">
          {search.data.map((match, place) => (
            // A text may be found by several of its pieces.
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is made anew by each search
            <li className={classes.row} key={place}>
              <div className={classes.summary}>
                <strong className={classes.name}>{match.id}</strong>
                <p className={classes.text}>{match.text}</p>
              </div>
              <span className={classes.about}>{match.score.toFixed(3)}</span>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
