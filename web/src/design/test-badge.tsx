import { IconFlask } from './icons/page-icons.ts'
import classes from './state-badge.module.css'

/** Marks a run that tried a draft out. */
export function TestBadge() {
  return (
    <span className={classes.badge} data-tone="test" title="A test of a draft: left out of all figures">
      <IconFlask size={14} stroke={2.2} aria-hidden />
      Test
    </span>
  )
}
