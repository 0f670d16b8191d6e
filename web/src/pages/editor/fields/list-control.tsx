import { IconArrowUp, IconPlus, IconX } from '../../../design/icons/page-icons.ts'
import { moveRow } from '../../../editor/rows/move-row.ts'
import type { FieldPartProps } from '../node-part.ts'
import classes from './fields.module.css'
import { useFocusAdded } from './use-focus-added.ts'

/** A list of which each is one of a few: all are shown, and those in the list are pressed. Their order is that of the choices. */
function ChoicesControl(props: FieldPartProps & { readonly choices: readonly string[] }) {
  const { value, onChange, isReadOnly, labelId, choices, faults } = props
  const chosen = Array.isArray(value) ? value.map(String) : []
  // What is not among the choices is shown, so that it can be seen and taken away.
  const shown = [...choices, ...new Set(chosen.filter((text) => !choices.includes(text)))]
  return (
    <fieldset
      className={classes.choices}
      aria-labelledby={labelId}
      {...(props.describedBy === '' ? {} : { 'aria-describedby': props.describedBy })}
      data-invalid={faults.length > 0 || undefined}
    >
      {shown.map((text) => (
        <button
          key={text}
          type="button"
          className={`${classes.choice} nodrag`}
          aria-pressed={chosen.includes(text)}
          disabled={isReadOnly}
          onClick={() =>
            onChange(shown.filter((each) => (each === text ? !chosen.includes(text) : chosen.includes(each))))
          }
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}

/** A list of texts: one line each, with a line to add. */
export function ListControl(props: FieldPartProps) {
  const { field } = props
  const isChosen = field.kind === 'list' && field.choices !== undefined
  return isChosen ? <ChoicesControl {...props} choices={field.choices} /> : <TextsControl {...props} />
}

function TextsControl(props: FieldPartProps) {
  const { field, value, onChange, isReadOnly, labelId } = props
  const { room, added } = useFocusAdded<HTMLFieldSetElement>()
  const texts = Array.isArray(value) ? value.map(String) : []
  const one = field.kind === 'list' ? (field.item ?? 'item') : 'item'
  const most = field.kind === 'list' ? (field.maxItems ?? Number.POSITIVE_INFINITY) : 0
  return (
    <fieldset ref={room} className={classes.list} aria-labelledby={labelId}>
      {texts.map((text, at) => (
        // Nothing but its place tells one text of a list from another.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={at} className={classes.beside} data-row>
          <input
            className={`${classes.control} nodrag`}
            type="text"
            aria-label={`${one} ${at + 1}`}
            value={text}
            readOnly={isReadOnly}
            autoComplete="off"
            list={props.suggestions}
            onChange={(event) => onChange(texts.with(at, event.target.value))}
          />
          {!isReadOnly && texts.length > 1 && (
            <button
              type="button"
              className={`${classes.tool} nodrag`}
              aria-label={`Move ${one} ${at + 1} up`}
              disabled={at === 0}
              onClick={() => onChange(moveRow(texts, at, -1))}
            >
              <IconArrowUp size={15} aria-hidden />
            </button>
          )}
          {!isReadOnly && (
            <button
              type="button"
              className={`${classes.tool} nodrag`}
              aria-label={`Remove ${one} ${at + 1}`}
              onClick={() => onChange(texts.toSpliced(at, 1))}
            >
              <IconX size={15} aria-hidden />
            </button>
          )}
        </div>
      ))}
      {!isReadOnly && texts.length < most && (
        <button
          type="button"
          className={`${classes.add} nodrag`}
          // The name of a key is not to be made up; of a case it may be.
          onClick={() => {
            added()
            onChange([...texts, props.suggestions === undefined ? `${one} ${texts.length + 1}` : ''])
          }}
        >
          <IconPlus size={15} aria-hidden />
          Add {one}
        </button>
      )}
    </fieldset>
  )
}
