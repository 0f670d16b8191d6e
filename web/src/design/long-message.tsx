import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { beginningOf } from './beginning.ts'

/** Of a long message its beginning, so that what stands below it stays in sight: some errors bring their whole stack. */
export function LongMessage({
  message,
  className
}: {
  readonly message: string
  readonly className?: string
}) {
  const [isWhole, setWhole] = useState(false)
  const beginning = beginningOf(message)
  if (beginning === undefined) return <p className={className}>{message}</p>
  return (
    <p className={className}>
      {isWhole ? message : `${beginning}…`}{' '}
      <Anchor component="button" type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show less' : 'Show the whole message'}
      </Anchor>
    </p>
  )
}
