import type { ReactNode } from 'react'
import classes from './shown-address.module.css'

interface ShownAddressProps {
  readonly address: string
  readonly labelId: string
  readonly describedBy: string
  /** What can be done with it. */
  readonly children: ReactNode
}

/** An address of the flow. Where there is no room for all of it, its end stays: it is what tells flows apart. */
export function ShownAddress({ address, labelId, describedBy, children }: ShownAddressProps) {
  const end = address.lastIndexOf('/') + 1
  return (
    <div className={classes.address}>
      <output
        aria-labelledby={labelId}
        {...(describedBy === '' ? {} : { 'aria-describedby': describedBy })}
        title={address}
      >
        <span className={classes.start}>{address.slice(0, end)}</span>
        <span className={classes.end}>{address.slice(end)}</span>
      </output>
      {children}
    </div>
  )
}
