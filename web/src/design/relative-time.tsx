import { Tooltip } from '@mantine/core'
import { relativeTime } from './format-time.ts'
import { useNow } from './use-now.ts'

/** "3 min ago", kept true; the exact time on hover and for machines. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = useNow()
  const date = new Date(at)
  return (
    <Tooltip label={date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })}>
      <time dateTime={at}>{relativeTime(date.getTime(), now)}</time>
    </Tooltip>
  )
}
