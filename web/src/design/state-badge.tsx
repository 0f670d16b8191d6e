import type { RunStatus } from '../api/shapes.ts'
import { IconBan, IconCircleCheck, IconCircleDotted, IconCircleX, IconLoader2 } from './icons/page-icons.ts'
import classes from './state-badge.module.css'

/** Steps know a few more states than runs. */
type State = RunStatus | 'waiting' | 'skipped' | 'not reached'

interface Appearance {
  readonly word: string
  readonly tone: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'
  readonly Icon: typeof IconBan
}

const APPEARANCES: Readonly<Record<State, Appearance>> = {
  queued: { word: 'Queued', tone: 'queued', Icon: IconCircleDotted },
  waiting: { word: 'Waiting', tone: 'queued', Icon: IconCircleDotted },
  'in progress': { word: 'In progress', tone: 'running', Icon: IconLoader2 },
  succeeded: { word: 'Succeeded', tone: 'succeeded', Icon: IconCircleCheck },
  failed: { word: 'Failed', tone: 'failed', Icon: IconCircleX },
  cancelled: { word: 'Cancelled', tone: 'cancelled', Icon: IconBan },
  skipped: { word: 'Skipped', tone: 'queued', Icon: IconBan },
  'not reached': { word: 'Not reached', tone: 'queued', Icon: IconCircleDotted }
}

/** What a state is called and looks like; for parts that draw it themselves, as plots do. */
export function appearanceOf(state: string): Appearance {
  return APPEARANCES[state as State] ?? { word: state, tone: 'queued', Icon: IconCircleDotted }
}

interface StateBadgeProps {
  readonly state: string
  /** Leaves the word to screen readers, where room is scarce and the word stands nearby. */
  readonly iconOnly?: boolean
}

/** A state by icon, word and colour: never by colour alone. */
export function StateBadge({ state, iconOnly = false }: StateBadgeProps) {
  const { word, tone, Icon } = appearanceOf(state)
  return (
    <span
      className={classes.badge}
      data-tone={tone}
      data-icon-only={iconOnly || undefined}
      title={iconOnly ? word : undefined}
    >
      <Icon size={14} stroke={2.2} aria-hidden className={tone === 'running' ? classes.turning : undefined} />
      <span className={iconOnly ? 'visually-hidden' : undefined}>{word}</span>
    </span>
  )
}
