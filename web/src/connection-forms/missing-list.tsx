import { Button } from '@mantine/core'
import type { MissingConnection } from './missing-connections.ts'
import classes from './missing-list.module.css'
import { useMayAdminister } from './use-administered.ts'

interface MissingListProps {
  readonly missing: readonly MissingConnection[]
  /** Of the flow that misses them. */
  readonly context: string
  readonly onMake: (missing: MissingConnection) => void
  /** How a node is shown; by its id where it is left out. */
  readonly showNode?: (node: string) => React.ReactNode
}

/** The connections that a flow misses, each with a button that makes it. */
export function MissingList({ missing, context, onMake, showNode }: MissingListProps) {
  const mayMake = useMayAdminister()(context)
  if (missing.length === 0) return null
  return (
    <ul className={classes.list}>
      {missing.map((one) => (
        <li key={one.name} className={classes.row}>
          <div className={classes.summary}>
            <strong className={classes.name}>{one.name}</strong>
            <span className={classes.quiet}>
              {one.isWrongKind
                ? `There is one, but not of the kind ${one.kinds.join(' or ')}.`
                : `Kind: ${one.kinds.join(' or ')}.`}{' '}
              Used by{' '}
              {one.nodes.map((node, index) => (
                <span key={node}>
                  {index > 0 && ', '}
                  {showNode?.(node) ?? node}
                </span>
              ))}
              .
            </span>
          </div>
          {mayMake && !one.isWrongKind && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Create the connection ${one.name}`}
              onClick={() => onMake(one)}
            >
              Create
            </Button>
          )}
        </li>
      ))}
      {!mayMake && (
        <li className={classes.quiet}>
          Your key may not create connections in {context}. Ask somebody whose key has the right “admin” for
          it.
        </li>
      )}
    </ul>
  )
}
