import { type JsonValue, writeJson } from '../../../../../src/flows/json/exact-json.ts'
import { IconArrowDownRight } from '../../../design/icons/contexts-icons.ts'
import { IconMapPin } from '../../../design/icons/page-icons.ts'
import classes from './visible.module.css'
import type { Visible } from './visible-groups.ts'

interface RegistrationListProps {
  readonly title: string
  readonly help: string
  readonly registrations: readonly Visible[]
  readonly onChoose: (path: string) => void
}

export function RegistrationList({ title, help, registrations, onChoose }: RegistrationListProps) {
  return (
    <section>
      <div className={classes.groupHead}>
        <h3 className={classes.groupTitle}>{title}</h3>
        <span className={classes.help}>{help}</span>
      </div>
      <ul className={classes.list} aria-label={title}>
        {withKeys(registrations).map(([key, registration]) => (
          <Row key={key} of={registration} onChoose={onChoose} />
        ))}
      </ul>
    </section>
  )
}

function Row({ of: seen, onChoose }: { readonly of: Visible; readonly onChoose: (path: string) => void }) {
  return (
    <li className={classes.row}>
      <span className={classes.registration}>
        <code className={classes.name}>{seen.name}</code>
        {seen.value !== undefined && <code className={classes.value}>{shortText(seen.value)}</code>}
        {seen.hides !== undefined && (
          <span className={classes.overrides}>overrides the one in {seen.hides.context}</span>
        )}
      </span>
      <Origin from={seen.inherited_from} onChoose={onChoose} />
      <span className={classes.registeredBy}>
        by <strong>{seen.owner}</strong>
        {seen.source !== null && (
          <>
            {' '}
            at <code>{seen.source}</code>
          </>
        )}
      </span>
    </li>
  )
}

interface OriginProps {
  readonly from: string | null
  readonly onChoose: (path: string) => void
}

/** Own or inherited: by icon and word. */
function Origin({ from, onChoose }: OriginProps) {
  if (from === null) {
    return (
      <span className={classes.origin} data-own>
        <IconMapPin size={14} aria-hidden />
        Here
      </span>
    )
  }
  return (
    <span className={classes.origin}>
      <IconArrowDownRight size={14} aria-hidden />
      <span>
        From{' '}
        <button type="button" className={classes.place} onClick={() => onChoose(from)}>
          {from}
        </button>
      </span>
    </span>
  )
}

/** Hooks of one name and place stand side by side: they differ in their order only. */
function withKeys(registrations: readonly Visible[]): [key: string, Visible][] {
  return registrations.map((registration, index) => [`${index} ${registration.name}`, registration])
}

function shortText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : writeJson(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
