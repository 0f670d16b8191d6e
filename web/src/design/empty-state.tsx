import { HelpLink } from './help-link.tsx'
import type { Icon } from './icons/icon.ts'
import classes from './states.module.css'

interface EmptyStateProps {
  readonly icon: Icon
  readonly title: string
  /** What would be here, and how to get it. */
  readonly children?: React.ReactNode
  /** The one or two things to do about it. */
  readonly actions?: React.ReactNode
  /** The chapter of the help that is about what would be here: `triggers#watch`. */
  readonly help?: string
  /** Where it is the whole page, its title is the page's. */
  readonly isPage?: boolean
}

export function EmptyState({
  icon: Picture,
  title,
  children,
  actions,
  help,
  isPage = false
}: EmptyStateProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className={classes.state}>
      <Picture size={32} stroke={1.4} aria-hidden className={classes.picture} />
      <Heading className={classes.title}>{title}</Heading>
      {children === undefined ? null : <div className={classes.message}>{children}</div>}
      {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
      {help === undefined ? null : <HelpLink to={help}>Read more</HelpLink>}
    </div>
  )
}
