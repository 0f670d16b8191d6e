import { Button, Input, Select, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import {
  type Connection,
  type ConnectionKind,
  type ConnectionPreset,
  type ConnectionRequest,
  useRedirectUri
} from '../api/connections.ts'
import { ApiProblem } from '../api/problem.ts'
import { ProblemNote } from '../design/problem-note.tsx'
import { type ConnectionDraft, draftFaults, isElsewhere, requestOf } from './connection-draft.ts'
import classes from './connection-form.module.css'
import { DocumentPart } from './document-part.tsx'
import { type SettingField, secretFields, settingFields } from './form-fields.ts'
import { draftOfKind, draftWithPreset, presetFor } from './preset-draft.ts'
import { PresetGuide } from './preset-guide.tsx'
import { PresetSelect } from './preset-select.tsx'
import { SecretInput } from './secret-input.tsx'
import { SettingInput } from './setting-input.tsx'
import { hasSignIn, SignInFacts } from './sign-in-facts.tsx'

interface ConnectionFormProps {
  readonly initial: ConnectionDraft
  /** Those that it can be of. */
  readonly kinds: readonly ConnectionKind[]
  readonly contexts: readonly string[]
  /** Services that are known. */
  readonly presets: readonly ConnectionPreset[]
  /** The one that is changed; a new one has none. */
  readonly stored?: Connection
  readonly action: string
  readonly error: unknown
  readonly isPending: boolean
  readonly onSubmit: (request: ConnectionRequest) => void
  readonly onClose: () => void
}

/** Name, place and whatever the kind of the connection holds. */
export function ConnectionForm(props: ConnectionFormProps) {
  const { initial, kinds, contexts, presets, stored, error, onSubmit } = props
  const [draft, setDraft] = useState(initial)
  const [isTried, setTried] = useState(false)
  const preset =
    draft.kind === 'http' ? presetFor(presets, { name: '', settings: draft.settings }) : undefined
  const redirectUri = useRedirectUri()
  const form = useRef<HTMLFormElement>(null)
  const kind = kinds.find((known) => known.kind === draft.kind) ?? kinds[0]!
  const leavesSecrets = stored !== undefined && isElsewhere(draft, kind, stored)
  const secretsThere = leavesSecrets ? {} : stored?.secrets
  const own = draftFaults(draft, kind, secretsThere)
  const faults = isTried && own.size > 0 ? own : faultsOf(error)
  const change = (part: Partial<ConnectionDraft>) => setDraft({ ...draft, ...part })
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    // A form inside of another part of the page, such as a canvas, is nobody else's business.
    event.stopPropagation()
    setTried(true)
    if (own.size === 0) return onSubmit(requestOf(draft, kind, stored?.secrets, leavesSecrets))
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const fields = settingFields(kind, draft.settings)
  const settingInput = (field: SettingField) => (
    <SettingInput
      key={`${kind.kind} ${preset?.id ?? ''} ${field.name}`}
      field={field}
      value={draft.settings[field.name]}
      placeholder={field.name === 'base_url' ? preset?.base_url_example : undefined}
      fault={faults.get(`/settings/${field.name}`)}
      onChange={(value) => change({ settings: { ...draft.settings, [field.name]: value } })}
    />
  )
  return (
    <form ref={form} className={classes.form} onSubmit={submit} noValidate>
      {stored === undefined && kinds.some(({ kind }) => kind === 'http') && (
        <PresetSelect
          presets={presets}
          kinds={kinds}
          chosen={preset}
          kind={kind.kind}
          onChange={(chosen) => setDraft(draftWithPreset(draft, chosen))}
          onKind={(chosen) => setDraft(draftOfKind(draft, chosen))}
        />
      )}
      {preset !== undefined && <PresetGuide preset={preset} />}
      <div className={classes.names}>
        <TextInput
          label="Name"
          description="Nodes refer to it by this name."
          withAsterisk
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={draft.name}
          error={faults.get('/name')}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Select
          label="Context"
          description="Flows in this context and below can use it."
          searchable
          allowDeselect={false}
          nothingFoundMessage="No such context"
          data={[...new Set([draft.context, ...contexts])]}
          value={draft.context}
          error={faults.get('/context')}
          onChange={(context) => change({ context: context ?? draft.context })}
        />
      </div>
      <KindInput
        kinds={kinds}
        kind={kind}
        // What it holds depends on it: another kind is another connection.
        isFixed={stored !== undefined || kinds.length === 1}
        fault={faults.get('/kind')}
        onChange={(name) => change({ kind: name })}
      />
      {fields.filter(({ isLast }) => !isLast).map(settingInput)}
      {secretFields(kind, draft.settings, preset?.secrets).map((field) => (
        <SecretInput
          key={`${kind.kind} ${preset?.id ?? ''} ${field.name}`}
          field={field}
          value={draft.secrets[field.name]}
          isStored={Object.hasOwn(secretsThere ?? {}, field.name)}
          isLeftBehind={leavesSecrets && Object.hasOwn(stored.secrets, field.name)}
          fault={faults.get(`/secrets/${field.name}`)}
          onChange={(value) => change({ secrets: withSecret(draft.secrets, field.name, value) })}
        />
      ))}
      {fields.filter(({ isLast }) => isLast).map(settingInput)}
      {redirectUri !== undefined && hasSignIn(draft.settings) && (
        <SignInFacts settings={draft.settings} preset={preset} redirectUri={redirectUri} />
      )}
      {stored?.kind === 'http' && <DocumentPart connection={stored.id} />}
      <ProblemNote error={error} />
      <div className={classes.actions}>
        <Button variant="default" onClick={props.onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={props.isPending}>
          {props.action}
        </Button>
      </div>
    </form>
  )
}

interface KindInputProps {
  readonly kinds: readonly ConnectionKind[]
  readonly kind: ConnectionKind
  readonly isFixed: boolean
  readonly fault: string | undefined
  readonly onChange: (kind: string) => void
}

function KindInput({ kinds, kind, isFixed, fault, onChange }: KindInputProps) {
  const shared = { label: 'Kind', description: kind.description, error: fault }
  if (isFixed) {
    return (
      <Input.Wrapper {...shared} labelElement="div">
        <div className={classes.fixed}>{kind.title}</div>
      </Input.Wrapper>
    )
  }
  return (
    <Select
      {...shared}
      searchable
      allowDeselect={false}
      nothingFoundMessage="No such kind"
      data={kinds.map(({ kind, title }) => ({ value: kind, label: title }))}
      value={kind.kind}
      onChange={(name) => onChange(name ?? kind.kind)}
    />
  )
}

function withSecret(
  secrets: ConnectionDraft['secrets'],
  name: string,
  value: string | null | undefined
): ConnectionDraft['secrets'] {
  const { [name]: _, ...others } = secrets
  return value === undefined ? others : { ...others, [name]: value }
}

/** What the service refused, by place. */
function faultsOf(error: unknown): Map<string, string> {
  if (!(error instanceof ApiProblem)) return new Map()
  return new Map(error.problem.errors.map(({ path, message }) => [path, message]))
}
