import { Link } from 'react-router'
import { PageHeader } from '../../design/page-header.tsx'
import { CHAPTERS, REFERENCE } from '../../help/contents.ts'
import { titleOfDoc } from '../../help/docs.ts'
import classes from './help.module.css'

/** Where the help begins, and what an address leads to that is none of its pages. */
export function HelpHome({ isUnknown }: { readonly isUnknown: boolean }) {
  return (
    <div className={classes.article}>
      <PageHeader title="Help">
        {isUnknown
          ? 'There is no such page in the help. It may have another name by now: search for it, or look here.'
          : 'All of it is in this service and needs no network. Ctrl K finds it from everywhere.'}
      </PageHeader>
      <div className={classes.chapters}>
        {CHAPTERS.map(({ title, pages }) => (
          <section key={title} className={classes.chapter}>
            <h2>{title}</h2>
            <ul>
              {pages.map((page) => (
                <li key={page}>
                  <Link to={`/help/${page}`}>{titleOfDoc(page) ?? page}</Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <section className={classes.chapter}>
          <h2>Reference</h2>
          <ul>
            {REFERENCE.map(({ page, title }) => (
              <li key={page}>
                <Link to={`/help/${page}`}>{title}</Link>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  )
}
