const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** The time of day, to the second; the date too on hover and for machines. */
export function ClockTime({ at }: { readonly at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={MOMENT.format(date)}>
      {TIME.format(date)}
    </time>
  )
}
