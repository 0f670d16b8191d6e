import type { ListedFlow } from '../../api/shapes.ts'
import { FlowRow } from './flow-row.tsx'
import classes from './flows-page.module.css'

interface FlowListProps {
  readonly flows: readonly ListedFlow[]
  /** Those that the search leaves out too: a copy must not take a name of theirs. */
  readonly allFlows: readonly ListedFlow[]
}

/** One row per flow. Arrow keys go from one to the next. */
export function FlowList({ flows, allFlows }: FlowListProps) {
  const names = new Set(allFlows.map(({ name }) => name))
  return (
    <ul className={classes.list} onKeyDown={moveByArrow} aria-label="Flows">
      {flows.map((flow) => (
        <FlowRow key={flow.id} flow={flow} takenNames={names} />
      ))}
    </ul>
  )
}

function moveByArrow(event: React.KeyboardEvent<HTMLUListElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-flow-link]')]
  const at = links.indexOf(document.activeElement as HTMLElement)
  if (step === undefined || at < 0) return
  event.preventDefault()
  links[at + step]?.focus()
}
