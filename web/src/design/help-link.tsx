import classes from './help-link.module.css'

interface HelpLinkProps {
  /** Below /help/: `senders#github`. */
  readonly to: string
  readonly children: React.ReactNode
}

/** To the help, in a window beside: what is being done stays as it is. */
export function HelpLink({ to, children }: HelpLinkProps) {
  // Of the base of the document, which may be below a prefix of a host application.
  return (
    <a href={`help/${to}`} target="_blank" className={classes.link} rel="noopener">
      {children}
      <span className="visually-hidden"> (new window)</span>
    </a>
  )
}

/** What the page itself says, and not the service: there is nothing more to read about it. */
const OF_THE_PAGE = /^unreachable|^page_failed|^http_/

/** What a code means, and what to do. */
export function ErrorHelp({ code }: { readonly code: string }) {
  return OF_THE_PAGE.test(code) ? null : <HelpLink to={`errors#${code}`}>What this means</HelpLink>
}
