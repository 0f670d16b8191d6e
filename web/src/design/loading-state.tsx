import { Skeleton } from '@mantine/core'
import classes from './states.module.css'

/** Grey rows where rows will be: nothing jumps when they come. It shows after a moment only, so that fast answers do not flicker. */
export function LoadingState({
  rows = 6,
  height = 48
}: {
  readonly rows?: number
  readonly height?: number
}) {
  return (
    <div className={classes.loading} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that are all alike have no other name.
        <Skeleton key={row} height={height} radius="md" />
      ))}
    </div>
  )
}
