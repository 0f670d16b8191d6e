import { useNodeFaults } from '../editor-context.ts'
import { useShownNames } from '../session/use-shown-names.ts'
import classes from './inspector.module.css'

/** What keeps a node from being saved, apart from its fields. */
export function NodeFaults({ node }: { readonly node: string }) {
  const faults = useNodeFaults(node)
  const names = useShownNames()
  if (faults.length === 0) return null
  return (
    <ul className={classes.faults} aria-label="Faults of the node">
      {faults.map((fault) => (
        <li key={fault.message}>{names.fault(fault)}</li>
      ))}
    </ul>
  )
}
