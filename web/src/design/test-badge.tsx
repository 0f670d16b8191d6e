import { IconFlask } from './icons/page-icons.ts'
import classes from './state-badge.module.css'

/** Marks a run that tried a draft out. */
export function TestBadge() {
  return (
    <span className={classes.badge} data-tone="test" title="It tried a draft out; no figures count it">
      <IconFlask size={14} stroke={2.2} aria-hidden />
      Test
    </span>
  )
}
