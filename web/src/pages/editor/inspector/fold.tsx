import { useState } from 'react'
import classes from './inspector.module.css'

interface FoldProps {
  readonly title: string
  /** At first. Later it is as whoever looks at it has put it. */
  readonly isOpen?: boolean
  readonly children: React.ReactNode
}

/** Something that is looked at now and then, under its title. */
export function Fold({ title, isOpen = false, children }: FoldProps) {
  const [open, setOpen] = useState(isOpen)
  return (
    <details className={classes.fold} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {open && <div className={classes.folded}>{children}</div>}
    </details>
  )
}
