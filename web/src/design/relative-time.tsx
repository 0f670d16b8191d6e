import { Tooltip } from '@mantine/core'
import { relativeTime } from './format-time.ts'
import { useNow } from './use-now.ts'

/** Made once: to make one takes a hundred times as long as to use it. */
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** "3 min ago", kept true; the exact time on hover and for machines. */
export function RelativeTime({ at }: { readonly at: string }) {
  const now = useNow()
  const date = new Date(at)
  return (
    <Tooltip label={MOMENT.format(date)}>
      <time dateTime={at}>{relativeTime(date.getTime(), now)}</time>
    </Tooltip>
  )
}
