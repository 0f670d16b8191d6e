import { useEffect, useState } from 'react'
import { NavLink, useNavigate } from 'react-router'
import { CHAPTERS, REFERENCE } from '../../../help/contents.ts'
import { titleOfDoc } from '../../../help/docs.ts'
import { findHelp } from '../../../help/find-help.ts'
import { useHelpSections } from '../../../help/use-help-sections.ts'
import { SearchField } from '../../../shell/search-field.tsx'
import classes from './help-contents.module.css'
import { HelpFindings } from './help-findings.tsx'

const MOST = 30

/** What there is to read, and a search in it; on a phone it is folded away. */
export function HelpContents({ place }: { readonly place: string }) {
  const [search, setSearch] = useState('')
  const [isOpen, setOpen] = useState(false)
  const isAsked = search.trim() !== ''
  const sections = useHelpSections(isAsked)
  const found = sections && isAsked ? findHelp(sections, search, MOST) : undefined
  const navigate = useNavigate()
  const openFirst = (event: React.FormEvent) => {
    event.preventDefault()
    if (found?.[0] === undefined) return
    setSearch('')
    void navigate(`/help/${found[0].to}`)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever has chosen a page wants to read it.
  useEffect(() => setOpen(false), [place])
  return (
    <aside className={classes.side} aria-label="Contents of the help">
      <form onSubmit={openFirst}>
        <SearchField
          command={{ id: 'help.search', title: 'Search the help', group: 'Help' }}
          placeholder="Search the help"
          text={search}
          onChange={setSearch}
        />
      </form>
      {!isAsked ? (
        <>
          <button
            type="button"
            className={classes.unfold}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide the contents' : 'Contents'}
          </button>
          <nav className={classes.contents} data-open={isOpen} aria-label="Help">
            {CHAPTERS.map(({ title, pages }) => (
              <section key={title}>
                <h2>{title}</h2>
                <ul>
                  {pages.map((page) => (
                    <li key={page}>
                      <NavLink to={`/help/${page}`}>{titleOfDoc(page) ?? page}</NavLink>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <section>
              <h2>Reference</h2>
              <ul>
                {REFERENCE.map(({ page, title }) => (
                  <li key={page}>
                    <NavLink to={`/help/${page}`}>{title}</NavLink>
                  </li>
                ))}
              </ul>
            </section>
          </nav>
        </>
      ) : (
        found !== undefined && <HelpFindings found={found} onChosen={() => setSearch('')} />
      )}
    </aside>
  )
}
