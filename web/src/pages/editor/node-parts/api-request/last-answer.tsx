import { Link } from 'react-router'
import { isPlainObject, type JsonValue } from '../../../../../../src/flows/json/exact-json.ts'
import type { NodeOutput } from '../../../../api/read-node-output.ts'
import { counted } from '../../../../design/counted.ts'
import { RelativeTime } from '../../../../design/relative-time.tsx'
import { ValueView } from '../../../../design/value-view/value-view.tsx'
import { LastOutput } from '../output/last-output.tsx'
import { PayloadTree } from '../template/payload-tree.tsx'
import classes from './api-request.module.css'

const EMPTY = { title: 'No answer yet', hint: 'Start the flow. What the address answers is shown here.' }

/** What came back last, as a tree whose keys go into the templates of the nodes that follow. */
export function LastAnswer({ node }: { readonly node: string }) {
  return (
    <LastOutput node={node} empty={EMPTY}>
      {(output) => <Answer output={output} />}
    </LastOutput>
  )
}

function Answer({ output: { run_id, created_at, outputs } }: { readonly output: NodeOutput }) {
  const { body = null, response = null } = outputs
  return (
    <div className={classes.panel}>
      <p className={classes.line}>
        {statusOf(response)} · <RelativeTime at={created_at} /> in{' '}
        <Link to={`/runs/${run_id}`}>this run</Link>
      </p>
      {hasKeys(body) ? (
        <>
          <p className={classes.hint}>
            Drag a key into a template of a node that is wired to Body, or press Enter on it to copy it.
          </p>
          <PayloadTree key={run_id} value={body} label="Body" />
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
