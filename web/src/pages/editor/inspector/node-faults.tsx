import { useNodeFaults } from '../editor-context.ts'
import classes from './inspector.module.css'

/** What keeps a node from being saved, apart from its fields. */
export function NodeFaults({ node }: { readonly node: string }) {
  const faults = useNodeFaults(node)
  if (faults.length === 0) return null
  return (
    <ul className={classes.faults} aria-label="Faults of the node">
      {faults.map(({ message }) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  )
}
