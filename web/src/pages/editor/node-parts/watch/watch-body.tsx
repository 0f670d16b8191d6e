import { useId } from 'react'
import { type FoundByWatch, useTryWatch } from '../../../../api/try-watch.ts'
import { counted } from '../../../../design/counted.ts'
import { ProblemNote } from '../../../../design/problem-note.tsx'
import { ValueView } from '../../../../design/value-view/value-view.tsx'
import { useEditor } from '../../editor-context.ts'
import { NodeForm } from '../../fields/node-form.tsx'
import type { NodePartProps } from '../../node-part.ts'
import classes from './watch-body.module.css'

/** What is watched, and what is there now. */
export function WatchBody({ node, fields, isReadOnly }: NodePartProps) {
  const { flowId } = useEditor()
  const trial = useTryWatch(flowId, node.id)
  return (
    <div className={classes.body}>
      <NodeForm node={node} fields={fields} />
      {!isReadOnly && (
        <button
          type="button"
          className={`${classes.try} nodrag`}
          disabled={trial.isPending}
          onClick={() => trial.mutate(node.fields)}
        >
          {trial.isPending ? 'Looking…' : 'Try it'}
        </button>
      )}
      <ProblemNote error={trial.error} />
      {trial.data !== undefined && <FoundItems found={trial.data} />}
    </div>
  )
}

const SHOWN = 20

function FoundItems({ found }: { readonly found: FoundByWatch }) {
  const titleId = useId()
  if (found.error !== null)
    return (
      <p className={classes.problem} role="alert">
        {found.error.message}
      </p>
    )
  const { count, new_count, items } = found
  return (
    <section aria-labelledby={titleId}>
      <p id={titleId} className={classes.said} role="status">
        {count === 0
          ? 'The list is empty now.'
          : `${counted(count, 'item')} ${count === 1 ? 'is' : 'are'} there, ${new_count === 0 ? 'none of them' : new_count.toLocaleString('en')} new. Nothing was started.`}
      </p>
      <ol className={classes.items}>
        {items.slice(0, SHOWN).map(({ item, is_new }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no key of their own, and the list is drawn once
          <li key={at}>
            {is_new && <span className={classes.new}>New</span>}
            <ValueView value={item} label={`Item ${at + 1}`} />
          </li>
        ))}
      </ol>
      {items.length > SHOWN && (
        <p className={classes.said}>The first {SHOWN} are shown, the new ones before the others.</p>
      )}
    </section>
  )
}
