import { plainText } from '../../../../../../src/flows/template/plain-words.ts'
import { NodeForm } from '../../fields/node-form.tsx'
import type { NodePartProps } from '../../node-part.ts'
import classes from './placeholder.module.css'

/** What was imported and has no counterpart, what comes nearest, and the settings that it had there. */
export function PlaceholderBody({ node, fields }: NodePartProps) {
  const { was, nearest } = node.fields
  // Made by hand it says nothing of itself, and is written like any other.
  if (!isWords(was)) return <NodeForm node={node} fields={fields} />
  return (
    <div className={classes.body}>
      <dl className={classes.settings}>
        <dt>Was</dt>
        <dd>{plainText(was)}</dd>
        {isWords(nearest) && (
          <>
            <dt>What comes nearest</dt>
            <dd>{plainText(nearest)}</dd>
          </>
        )}
      </dl>
      <p className={classes.quiet}>
        It keeps the place, the wires and the settings. A flow with a placeholder cannot be published: replace
        it, or remove it.
      </p>
      <NodeForm node={node} fields={fields.filter(([name]) => name === 'settings')} />
    </div>
  )
}

function isWords(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
