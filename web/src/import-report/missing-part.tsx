import { Button } from '@mantine/core'
import type { NewConnection } from '../connection-forms/connection-dialog.tsx'
import { useMayAdminister } from '../connection-forms/use-administered.ts'
import { IconCircleCheck } from '../design/icons/page-icons.ts'
import classes from './import-report.module.css'
import type { ImportReview } from './use-import-review.ts'

interface MissingPartProps {
  readonly review: ImportReview
  readonly onMake: (connection: NewConnection) => void
}

/** The connections that the flows name and that are not there. Secrets are in no file: somebody has to give them. */
export function MissingPart({ review: { needs, context }, onMake }: MissingPartProps) {
  const mayMake = useMayAdminister()(context)
  if (needs.length === 0) return null
  const isDone = needs.every(({ isThere }) => isThere)
  return (
    <section aria-label="Missing connections">
      <h3 className={classes.heading}>Missing connections</h3>
      <p className={classes.lead}>
        {isDone
          ? 'All that the flows use are there now.'
          : 'Secrets do not come along. Steps that use these fail until they are created; you can do that later too.'}
      </p>
      <ul className={classes.needs}>
        {needs.map(({ name, kind, preset, isThere }) => (
          <li key={name} className={classes.need}>
            <span className={classes.named}>
              <strong>{name}</strong>
              <span className={classes.quiet}>{preset ?? kind}</span>
            </span>
            {isThere && (
              <span className={classes.badge} data-verdict="exact">
                <IconCircleCheck size={14} stroke={2.2} aria-hidden />
                Created
              </span>
            )}
            {!isThere && mayMake && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Create the connection ${name}`}
                onClick={() => onMake({ name, kinds: [kind], context })}
              >
                Create
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!mayMake && (
        <p className={classes.quiet}>
          Your key may not create connections in {context}. Ask somebody whose key has the right “admin” for
          it.
        </p>
      )}
    </section>
  )
}
