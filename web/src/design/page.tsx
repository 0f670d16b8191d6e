import classes from './page.module.css'

/** The room that a page of text and lists stands in. The canvas does without. */
export function Page({
  children,
  narrow = false
}: {
  readonly children: React.ReactNode
  readonly narrow?: boolean
}) {
  return <div className={narrow ? `${classes.page} ${classes.narrow}` : classes.page}>{children}</div>
}

/** A sheet with a hairline around it. */
export function Panel({ children, ...rest }: React.ComponentProps<'section'>) {
  return (
    <section {...rest} className={classes.panel}>
      {children}
    </section>
  )
}
