import { useState } from 'react'
import { type JsonValue, parseJson, writeJson } from '../../../../../src/flows/json/exact-json.ts'
import { CopyButton } from '../../../design/copy-button.tsx'
import { IconEye, IconEyeOff } from '../../../design/icons/page-icons.ts'
import type { FieldPartProps } from '../node-part.ts'
import classes from './fields.module.css'
import { ListControl } from './list-control.tsx'
import { numberText, readNumber } from './number-text.ts'
import { RowsControl } from './rows-control.tsx'

/**
 * The control of a field, by its kind. Plain elements of the browser: a flow shows hundreds of them at once, and
 * each has to be there within a fraction of a millisecond.
 */
export function FieldControl(props: FieldPartProps) {
  return (
    <>
      <PlainControl {...props} />
      {props.faultList}
    </>
  )
}

function PlainControl(props: FieldPartProps) {
  const { field } = props
  if (field.readonly === true) return <ShownText {...props} />
  switch (field.kind) {
    case 'boolean':
      return <SwitchControl {...props} />
    case 'choice':
      return <ChoiceControl {...props} choices={field.choices} />
    case 'number':
      return (
        <DraftControl
          {...props}
          read={(typed) => readNumber(typed, field)}
          print={(number) => numberText(number, field)}
          inputMode="decimal"
        />
      )
    case 'json':
      return <DraftControl {...props} read={readJson} isTall />
    case 'list':
      return <ListControl {...props} />
    case 'rows':
      return <RowsControl {...props} field={field} />
    case 'secret':
      return <SecretControl {...props} />
    case 'template':
      return <TextControl {...props} isTall isCode />
    case 'connection':
      return <TextControl {...props} />
    case 'text':
      return <TextControl {...props} isTall={field.multiline === true} />
  }
}

/** What every control tells screen readers. */
function named({ labelId, describedBy, faults }: FieldPartProps) {
  return {
    'aria-labelledby': labelId,
    ...(describedBy === '' ? {} : { 'aria-describedby': describedBy }),
    ...(faults.length === 0 ? {} : { 'aria-invalid': true })
  }
}

function TextControl(props: FieldPartProps & { readonly isTall?: boolean; readonly isCode?: boolean }) {
  const { value, onChange, isReadOnly, field, isTall = false, isCode = false } = props
  const shared = {
    ...named(props),
    className: `${classes.control} nodrag`,
    value: typeof value === 'string' ? value : writeJson(value),
    placeholder: field.placeholder,
    readOnly: isReadOnly,
    spellCheck: false,
    autoComplete: 'off',
    'data-code': isCode || undefined
  }
  // A line break cannot be typed into an input of one line, and would be lost there when something else is typed.
  if (isTall || shared.value.includes('\n')) {
    return (
      <textarea
        {...shared}
        className={`${shared.className} nowheel`}
        rows={isTall ? 3 : 2}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  return (
    <input
      {...shared}
      type="text"
      list={props.suggestions}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/**
 * Nothing of it is saved while it is typed: the service takes a secret out of the draft and into a connection, and would
 * do so with each beginning of it.
 */
function SecretControl(props: FieldPartProps) {
  const [isShown, setShown] = useState(false)
  const [typed, setTyped] = useState<string | undefined>()
  const { value, onChange, isReadOnly, field } = props
  const commit = () => {
    if (typed !== undefined && typed !== value) onChange(typed)
    setTyped(undefined)
  }
  return (
    <div className={classes.beside}>
      <input
        {...named(props)}
        className={`${classes.control} nodrag`}
        type={isShown ? 'text' : 'password'}
        // Not a password of this page: nothing is to be offered or kept by the browser.
        autoComplete="new-password"
        value={typed ?? String(value)}
        placeholder={field.placeholder}
        readOnly={isReadOnly}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
      <button
        type="button"
        className={`${classes.tool} nodrag`}
        aria-label={isShown ? `Hide ${field.title}` : `Show ${field.title}`}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <IconEyeOff size={15} aria-hidden /> : <IconEye size={15} aria-hidden />}
      </button>
    </div>
  )
}

function SwitchControl(props: FieldPartProps) {
  const { value, onChange, isReadOnly } = props
  return (
    <input
      {...named(props)}
      className={`${classes.switch} nodrag`}
      type="checkbox"
      role="switch"
      checked={value === true}
      aria-checked={value === true}
      disabled={isReadOnly}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}

function ChoiceControl(props: FieldPartProps & { readonly choices: readonly string[] }) {
  const { value, onChange, isReadOnly, choices } = props
  const chosen = String(value)
  return (
    <select
      {...named(props)}
      className={`${classes.control} nodrag`}
      value={chosen}
      disabled={isReadOnly}
      onChange={(event) => onChange(event.target.value)}
    >
      {/* A value that is not among the choices is shown, so that it can be seen and mended. */}
      {!choices.includes(chosen) && <option value={chosen}>{chosen} (not a choice)</option>}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  )
}

interface DraftControlProps extends FieldPartProps {
  /** A value as text; as JSON, unless it says otherwise. */
  readonly print?: (value: JsonValue) => string
  /** What the text means, or what is wrong with it. */
  readonly read: (text: string) => { readonly value: JsonValue } | { readonly wrong: string }
  readonly isTall?: boolean
  readonly inputMode?: 'decimal'
}

/** For values that are typed as text which does not mean anything at every key stroke: it is kept until it does. */
export function DraftControl(props: DraftControlProps) {
  const { value, read, print = textOf, onChange, isReadOnly, field, isTall = false } = props
  const text = print(value)
  const [typed, setTyped] = useState<{ readonly draft: string; readonly over: string } | undefined>()
  const outcome = typed === undefined ? undefined : read(typed.draft)
  // Undo, or another editor, may have given the field another value meanwhile: then that one is shown.
  // The text that the field shows if nobody else has changed it since the draft was typed.
  const meant = outcome !== undefined && 'value' in outcome ? print(outcome.value) : typed?.over
  const isCurrent = typed !== undefined && outcome !== undefined && text === meant
  const wrong = isCurrent && 'wrong' in outcome ? outcome.wrong : undefined
  const shared = {
    ...named(props),
    className: `${classes.control} nodrag`,
    value: isCurrent ? typed.draft : text,
    placeholder: field.placeholder,
    readOnly: isReadOnly,
    spellCheck: false,
    'aria-invalid': wrong !== undefined || props.faults.length > 0 || undefined,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => {
      setTyped({ draft: target.value, over: text })
      const next = read(target.value)
      if ('value' in next) onChange(next.value)
    },
    onBlur: () => {
      if (wrong === undefined) setTyped(undefined)
    }
  }
  return (
    <>
      {isTall ? (
        <textarea {...shared} className={`${shared.className} nowheel`} rows={3} data-code />
      ) : (
        <input {...shared} type="text" inputMode={props.inputMode} />
      )}
      {wrong !== undefined && (
        <p className={classes.wrong} role="status">
          {wrong}
        </p>
      )}
    </>
  )
}

/** Filled by the page and never edited. */
function ShownText(props: FieldPartProps) {
  const { value, field } = props
  const text = textOf(value)
  return (
    <div className={classes.beside}>
      <output aria-labelledby={props.labelId} className={classes.shown}>
        {text}
      </output>
      {field.copy === true && <CopyButton text={text} label={`Copy ${field.title}`} />}
    </div>
  )
}

function textOf(value: JsonValue): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : writeJson(value, 2)
}

function readJson(text: string): ReturnType<DraftControlProps['read']> {
  if (text.trim() === '') return { value: null }
  try {
    return { value: parseJson(text) }
  } catch (error) {
    return { wrong: `This is not JSON yet: ${error instanceof Error ? error.message : String(error)}` }
  }
}
