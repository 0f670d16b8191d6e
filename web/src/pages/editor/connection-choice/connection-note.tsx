import type { ConnectionUse } from '../../../../../src/flows/validate/connection-uses.ts'
import { useMayAdminister } from '../../../connection-forms/use-administered.ts'
import { IconAlertTriangle } from '../../../design/icons/page-icons.ts'
import {
  type Around,
  describeStanding,
  standingOf
} from '../../../editor/connection-lookup/connection-standing.ts'
import { useDrawnFlow } from '../editor-context.ts'
import classes from './connection-field.module.css'
import { useMakeConnection } from './make-connection.tsx'

interface ConnectionNoteProps {
  readonly id: string
  readonly use: ConnectionUse
  /** Undefined until it is known. */
  readonly around: Around | undefined
}

/** Which connection the flow's context means by a name and why, or that there is none, and how to get it. */
export function ConnectionNote({ id, use, around }: ConnectionNoteProps) {
  const context = useDrawnFlow((flow) => flow.context)
  const mayMake = useMayAdminister()(context)
  const make = useMakeConnection()
  if (around === undefined || use.name === '') return null
  const standing = standingOf(use, around)
  const text = describeStanding(standing, context)
  if (standing.state === 'found') {
    return (
      <p id={id} className={classes.note}>
        {text}
      </p>
    )
  }
  return (
    <p id={id} className={`${classes.note} ${classes.trouble}`} data-trouble={standing.state}>
      <IconAlertTriangle size={13} aria-hidden />
      {text}{' '}
      {standing.state === 'missing' && mayMake && (
        <button
          type="button"
          className={`${classes.make} nodrag`}
          aria-label={`Create the connection ${standing.means}`}
          onClick={() => make({ name: standing.means, context, kinds: use.kinds })}
        >
          Create
        </button>
      )}
    </p>
  )
}
