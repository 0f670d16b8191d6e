import type { Step } from '../../../api/shapes.ts'
import classes from './details.module.css'
import { DetailsSection } from './details-section.tsx'

/** What the step wrote for people, line by line. */
export function StepLog({ lines }: { readonly lines: NonNullable<Step['logs']> }) {
  return (
    <div className={classes.log}>
      <DetailsSection title="Log">
        <ol className={classes.logLines}>
          {lines.map(({ level, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines may be alike, and never change places.
            <li key={index} className={classes.logLine} data-level={level}>
              {isMarked(level) && <strong>{level} </strong>}
              {text}
            </li>
          ))}
        </ol>
      </DetailsSection>
    </div>
  )
}

function isMarked(level: string): boolean {
  return level === 'warn' || level === 'error'
}
