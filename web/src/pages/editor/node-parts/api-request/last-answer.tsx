import { Link } from 'react-router'
import { isPlainObject, type JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import { useNodeOutput } from '../../../../api/node-output.ts'
import { counted } from '../../../../design/counted.ts'
import { EmptyState } from '../../../../design/empty-state.tsx'
import { ErrorState } from '../../../../design/error-state.tsx'
import { IconInbox } from '../../../../design/icons/editor-icons.ts'
import { LoadingState } from '../../../../design/loading-state.tsx'
import { RelativeTime } from '../../../../design/relative-time.tsx'
import { ValueView } from '../../../../design/value-view/value-view.tsx'
import { useEditor } from '../../editor-context.ts'
import { PayloadTree } from '../template/payload-tree.tsx'
import classes from './api-request.module.css'

/** What came back last, as a tree whose keys go into the templates of the nodes that follow. */
export function LastAnswer({ node }: { readonly node: string }) {
  const { flowId } = useEditor()
  const { data, error, isPending, refetch } = useNodeOutput(flowId, node)
  if (isPending) return <LoadingState rows={4} />
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === null) {
    return (
      <EmptyState icon={IconInbox} title="No answer yet">
        Start the flow. What the address answers is shown here.
      </EmptyState>
    )
  }
  const { body = null, response = null } = data.outputs
  return (
    <div className={classes.panel}>
      <p className={classes.line}>
        {statusOf(response)} · <RelativeTime at={data.created_at} /> in{' '}
        <Link to={`/runs/${data.run_id}`}>this run</Link>
      </p>
      {hasKeys(body) ? (
        <>
          <p className={classes.hint}>
            Drag a key into a template of a node that is wired to Body, or press Enter on it to copy it.
          </p>
          <PayloadTree key={data.run_id} value={body} label="Body" />
        </>
      ) : (
        <ValueView value={body} label="Body" />
      )}
      {isPlainObject(response) && (
        <details>
          <summary className={classes.hint}>Headers</summary>
          <ValueView value={response.headers ?? null} label="Headers" />
        </details>
      )}
    </div>
  )
}

function hasKeys(body: JsonValue): boolean {
  return isPlainObject(body) || Array.isArray(body)
}

function statusOf(response: JsonValue): string {
  if (!isPlainObject(response)) return 'Answered'
  const { status, pages } = response
  const count = typeof pages === 'number' ? `, ${counted(pages, 'page')}` : ''
  return `Status ${String(status)}${count}`
}
