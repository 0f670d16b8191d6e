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
    <a href={`help/${to}`} target="_blank" rel="noopener" className={classes.link}>
      {children}
      <span className="visually-hidden"> (help, in a new window)</span>
    </a>
  )
}

/** What the page itself says, and not the service: there is nothing more to read about it. */
const OF_THE_PAGE = /^(?:unreachable|page_failed|http_\d+)$/

/** What a code means, and what to do. */
export function ErrorHelp({ code }: { readonly code: string }) {
  return OF_THE_PAGE.test(code) ? null : (
    <HelpLink to={`errors#${encodeURIComponent(code)}`}>What this means</HelpLink>
  )
}
