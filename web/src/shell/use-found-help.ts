import { useNavigate } from 'react-router'
import { IconHelp } from '../design/icons/page-icons.ts'
import { findHelp } from '../help/find-help.ts'
import { useHelpSections } from '../help/use-help-sections.ts'
import type { Command } from './commands.ts'

const MOST = 6
const FEWEST_LETTERS = 3

/** Parts of the help that are meant by what is typed. */
export function useFoundHelp(search: string): Command[] {
  const navigate = useNavigate()
  const sections = useHelpSections(false)
  if (search.trim().length < FEWEST_LETTERS || sections === undefined) return []
  return findHelp(sections, search, MOST).map(({ to, title, heading }) => ({
    id: `help-${to}`,
    title: heading === title ? title : `${title}: ${heading}`,
    group: 'Help',
    icon: IconHelp,
    // It was found by what is typed, which need not be in its heading.
    keywords: search,
    run: () => void navigate(`/help/${to}`)
  }))
}
