import { Link } from 'react-router'
import { findHelp } from '../../../help/find-help.ts'
import { useHelpSections } from '../../../help/use-help-sections.ts'
import classes from './help-contents.module.css'

const MOST = 30

interface HelpFindingsProps {
  readonly search: string
  readonly onChosen: () => void
}

/** The parts of the help that a search finds. */
export function HelpFindings({ search, onChosen }: HelpFindingsProps) {
  const sections = useHelpSections(true)
  if (sections === undefined) return null
  const found = findHelp(sections, search, MOST)
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
