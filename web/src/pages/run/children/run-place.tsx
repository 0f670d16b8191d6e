import { Link } from 'react-router'
import { isItem, itemName } from '../../../api/items.ts'
import type { Run } from '../../../api/shapes.ts'
import { shortId } from '../../runs/list/short-id.ts'
import type { RunFlow } from '../use-run-flow.ts'
import classes from './children.module.css'
import { useNeighbours } from './use-children.ts'

interface RunPlaceProps {
  readonly run: Run
  readonly flow: RunFlow
}

/** Which run started this one, from which node, and the items beside it. Nothing for a run that none started. */
export function RunPlace({ run, flow }: RunPlaceProps) {
  const { parent } = run
  if (parent === null) return null
  const node = isItem(run) ? flow.document?.nodes.find(({ id }) => id === parent.node) : undefined
  return (
    <div className={classes.place}>
      <nav aria-label="Where this run belongs">
        <ol className={classes.crumbs}>
          <li>
            <Link to={`/runs/${parent.run_id}`}>Run {shortId(parent.run_id)}</Link>
          </li>
          <li>
            <Link to={`/runs/${parent.run_id}?step=${encodeURIComponent(parent.node)}`}>
              {node === undefined ? parent.node : flow.titleOf(node)}
            </Link>
          </li>
          <li aria-current="page">{isItem(run) ? itemName(run) : flow.name}</li>
        </ol>
      </nav>
      {isItem(run) && <Neighbours parent={parent} />}
    </div>
  )
}

function Neighbours({ parent }: { readonly parent: NonNullable<Run['parent']> }) {
  const { before, after } = useNeighbours(parent)
  if (before === undefined && after === undefined) return null
  return (
    <nav aria-label="Items beside this one" className={classes.neighbours}>
      {before !== undefined && <Link to={`/runs/${before}`}>Previous item</Link>}
      {after !== undefined && <Link to={`/runs/${after}`}>Next item</Link>}
    </nav>
  )
}
