import { useEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { copyText } from '../../design/copy-text.ts'
import { notifyDone } from '../../design/notify.tsx'
import type { DocHeading } from '../../help/docs.ts'
import './article.css'
import classes from './help.module.css'
import { useFollowLinks } from './use-follow-links.ts'

interface ArticleProps {
  /** Of the build, or made by help/reference, which escapes whatever was not written there. */
  readonly html: string
  readonly headings: readonly DocHeading[]
  readonly children?: React.ReactNode
}

/** A page of the help, with what is on it at its side. */
export function Article({ html, headings, children }: ArticleProps) {
  const { hash, key, search } = useLocation()
  const follow = useFollowLinks()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says that a link was followed, also to where one is.
  useEffect(() => showPlace(hash), [hash, key, html])
  const parts = headings.filter(({ level }) => level === 2 || level === 3)
  return (
    <>
      <article className={`${classes.article} article`}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: its links and buttons are what is clicked. */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: they are links and buttons for the keyboard too. */}
        <div
          onClick={(event) => {
            copyFrom(event.target)
            follow(event)
          }}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: it is made by the build, or escaped; see ArticleProps.
          dangerouslySetInnerHTML={{ __html: html }}
        />
        {children}
      </article>
      {parts.length > 2 && (
        <nav className={classes.parts} aria-label="On this page">
          <h2>On this page</h2>
          <ul>
            {parts.map(({ id, text, level }) => (
              <li key={id} data-level={level}>
                <Link to={{ search, hash: id }}>{text}</Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </>
  )
}

/** What an address names is in sight, and the next key begins there; a page by itself begins at its top. */
function showPlace(hash: string): void {
  const place = hash === '' ? null : document.getElementById(decodeURIComponent(hash.slice(1)))
  if (place === null) document.getElementById('main')?.scrollTo(0, 0)
  else {
    place.scrollIntoView()
    place.focus({ preventScroll: true })
  }
}

async function copyFrom(target: EventTarget): Promise<void> {
  if (!(target instanceof HTMLElement) || !target.matches('button.copy')) return
  const shown = target.previousElementSibling?.textContent ?? ''
  if (await copyText(shown.trimEnd())) notifyDone('Copied')
}
