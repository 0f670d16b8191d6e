import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../design/error-state.tsx'
import { LoadingState } from '../../design/loading-state.tsx'
import { loadDoc } from '../../help/docs.ts'
import { askingThisService, serviceAt } from '../../help/this-service.ts'
import { Article } from './article.tsx'
import classes from './help.module.css'
import { useHelpTitle } from './use-help-title.ts'

/** A document of docs/. */
export function DocView({ page }: { readonly page: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['help', page],
    queryFn: () => loadDoc(page),
    staleTime: Number.POSITIVE_INFINITY
  })
  useHelpTitle(data?.title ?? 'Help')
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined)
    return (
      <div className={classes.article}>
        <LoadingState />
      </div>
    )
  const html = askingThisService(data.html, serviceAt(document.baseURI))
  return <Article html={html} headings={data.headings} />
}
