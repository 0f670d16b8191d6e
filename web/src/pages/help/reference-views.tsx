import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'react-router'
import { useApi } from '../../api/api-context.ts'
import { useComponents } from '../../api/components.ts'
import { ErrorState } from '../../design/error-state.tsx'
import { LoadingState } from '../../design/loading-state.tsx'
import { apiList, apiPage } from '../../help/reference/api-reference.ts'
import { componentList, componentPage } from '../../help/reference/component-reference.ts'
import { errorReference, isExplained } from '../../help/reference/error-reference.ts'
import type { Reference } from '../../help/reference/html.ts'
import type { ApiDescription } from '../../help/reference/openapi-document.ts'
import { serviceAt } from '../../help/this-service.ts'
import { Article } from './article.tsx'
import classes from './help.module.css'
import { HelpHome } from './help-home.tsx'
import { TryIt } from './try-it/try-it.tsx'
import { useHelpTitle } from './use-help-title.ts'

/** All components that a context sees, or one of them. */
export function ComponentsView({ type }: { readonly type: string | undefined }) {
  const [search] = useSearchParams()
  const context = search.get('context') ?? '/'
  const components = useComponents(context)
  const linkTo = (place: string) =>
    context !== '/' && place.startsWith('components/')
      ? `help/${place}?context=${encodeURIComponent(context)}`
      : `help/${place}`
  return (
    <Asked answer={components}>
      {(catalogue) => {
        if (type === undefined) return <ReferenceView reference={componentList(catalogue, linkTo)} />
        const component = catalogue.find((one) => one.type === type)
        if (component === undefined) return <HelpHome isUnknown />
        return <ReferenceView reference={componentPage(component, linkTo)} />
      }}
    </Asked>
  )
}

/** It stands at the end of a page that may be long. */
const TRY_IT = { id: 'try-it', level: 2, text: 'Try it' }

/** All operations of this service, or one of them. */
export function ApiView({ operation }: { readonly operation: string | undefined }) {
  const description = useApiDescription()
  return (
    <Asked answer={description}>
      {(api) => {
        if (operation === undefined) return <ReferenceView reference={apiList(api, linkTo)} />
        const reference = apiPage(api, operation, linkTo, serviceAt(document.baseURI))
        if (reference === undefined) return <HelpHome isUnknown />
        return (
          <ReferenceView reference={{ ...reference, headings: [...reference.headings, TRY_IT] }}>
            <TryIt key={operation} api={api} operation={operation} />
          </ReferenceView>
        )
      }}
    </Asked>
  )
}

export function ErrorsView() {
  const code = decodeURIComponent(useLocation().hash.slice(1))
  const isForeign = code !== '' && !code.startsWith('steps-') && !isExplained(code) && !PARTS.has(code)
  return (
    <ReferenceView reference={errorReference(linkTo)}>
      {isForeign && (
        <p role="status" className={classes.foreign}>
          <code>{code}</code> is none of these: a plugin, or the service that a step called, has named it. Its
          message is all that Millrace knows.
        </p>
      )}
    </ReferenceView>
  )
}

const PARTS: ReadonlySet<string> = new Set(['refusals', 'flow-faults'])

function linkTo(place: string): string {
  return `help/${place}`
}

function useApiDescription() {
  const api = useApi()
  return useQuery({
    queryKey: ['openapi'],
    queryFn: ({ signal }) => api.get<ApiDescription>('openapi.json', {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false
  })
}

interface AskedProps<T> {
  readonly answer: { readonly data: T | undefined; readonly error: unknown; readonly refetch: () => unknown }
  readonly children: (data: T) => React.ReactNode
}

function Asked<T>({ answer: { data, error, refetch }, children }: AskedProps<T>) {
  if (data !== undefined) return children(data)
  return (
    <div className={classes.article}>
      {error === null ? <LoadingState /> : <ErrorState error={error} onRetry={() => void refetch()} />}
    </div>
  )
}

interface ReferenceViewProps {
  readonly reference: Reference
  readonly children?: React.ReactNode
}

function ReferenceView({ reference, children }: ReferenceViewProps) {
  useHelpTitle(reference.title)
  return (
    <Article html={reference.html} headings={reference.headings}>
      {children}
    </Article>
  )
}
