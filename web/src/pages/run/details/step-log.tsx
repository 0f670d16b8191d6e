import type { Step } from '../../../api/shapes.ts'
import { LogLines } from '../../../flow-parts/log-lines.tsx'
import classes from './details.module.css'
import { DetailsSection } from './details-section.tsx'

/** What the step wrote for people. */
export function StepLog({ lines }: { readonly lines: NonNullable<Step['logs']> }) {
  return (
    <div className={classes.log}>
      <DetailsSection title="Log">
        <LogLines lines={lines} />
      </DetailsSection>
    </div>
  )
}
