import { useEffect } from 'react'
import { words } from '../../../src/flows/template/plain-words.ts'
import classes from './page-header.module.css'

interface PageHeaderProps {
  readonly title: string
  /** Beside the title: a badge, a count. */
  readonly beside?: React.ReactNode
  readonly children?: React.ReactNode
  readonly actions?: React.ReactNode
}

/** The title of a page, which the window gets too, a line about it, and what can be done on it. */
export function PageHeader({ title, beside, children, actions }: PageHeaderProps) {
  useEffect(() => {
    document.title = words`${title} · Millrace`
  }, [title])
  return (
    <header className={classes.header}>
      <div className={classes.heading}>
        <div className={classes.line}>
          <h1 className={classes.title}>{title}</h1>
          {beside}
        </div>
        {children === undefined ? null : <p className={classes.lead}>{children}</p>}
      </div>
      {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
    </header>
  )
}
