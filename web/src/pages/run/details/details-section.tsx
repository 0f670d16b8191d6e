import classes from './details.module.css'

interface DetailsSectionProps {
  readonly title: string
  /** At the other end of the line. */
  readonly beside?: React.ReactNode
  readonly children: React.ReactNode
}

export function DetailsSection({ title, beside, children }: DetailsSectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.sectionHead}>
        <h2 className={classes.title}>{title}</h2>
        {beside}
      </div>
      {children}
    </section>
  )
}
