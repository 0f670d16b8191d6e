import { Link } from 'react-router'
import type { HelpSection } from '../../../help/find-help.ts'
import classes from './help-contents.module.css'

interface HelpFindingsProps {
  readonly found: readonly HelpSection[]
  readonly onChosen: () => void
}

/** The parts of the help that a search finds. */
export function HelpFindings({ found, onChosen }: HelpFindingsProps) {
  return (
    <div className={classes.findings} aria-live="polite">
      {found.length === 0 && <p className={classes.none}>Nothing in the help has these words.</p>}
      <ul>
        {found.map(({ to, title, heading, beginning }) => (
          <li key={to}>
            <Link to={`/help/${to}`} onClick={onChosen}>
              <strong>{heading}</strong>
              {heading !== title && <small>{title}</small>}
              <span>{beginning}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
