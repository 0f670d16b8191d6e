import { CONNECTION_NAME } from '../../../src/connections/connection-name.ts'
import { leadsElsewhere } from '../../../src/connections/leads-elsewhere.ts'
import type { Connection, ConnectionKind, ConnectionRequest } from '../api/connections.ts'
import { type Settings, secretFields, settingFields, unaskedSettings, withStandards } from './form-fields.ts'

/** A connection as it is being written. */
export interface ConnectionDraft {
  readonly name: string
  readonly kind: string
  readonly context: string
  readonly settings: Settings
  /** What somebody typed; null where a stored one is to go. Those that are not named stay as they are. */
  readonly secrets: Readonly<Record<string, string | null>>
}

const connectionName = new RegExp(CONNECTION_NAME)

export function draftOf({ name, kind, context, settings }: Connection): ConnectionDraft {
  return { name, kind, context, settings, secrets: {} }
}

/**
 * What is sent: of settings and secrets those that the form shows. What mattered before and does not any more goes, so
 * that no password is left behind which nobody sees; and what is stored for another address does not come along.
 */
export function requestOf(
  draft: ConnectionDraft,
  kind: ConnectionKind,
  stored: Connection['secrets'] = {},
  isElsewhere = false
): ConnectionRequest {
  const asked = settingFields(kind, draft.settings).map(({ name }) => name)
  const shown = [...asked, ...unaskedSettings(kind)]
  const settings = Object.fromEntries(
    shown.flatMap((name) => (isEmpty(draft.settings[name]) ? [] : [[name, draft.settings[name]]]))
  )
  const shownSecrets = secretFields(kind, draft.settings).map(({ name }) => name)
  const written = shownSecrets.flatMap((name) => {
    const value = draft.secrets[name]
    return isTyped(value) || value === null ? [[name, value]] : []
  })
  const stays = (name: string) =>
    shownSecrets.includes(name) && (!isElsewhere || isTyped(draft.secrets[name]))
  const gone = Object.keys(stored).flatMap((name) => (stays(name) ? [] : [[name, null]]))
  const { name, context } = draft
  return {
    name: name.trim(),
    kind: kind.kind,
    context,
    settings,
    secrets: Object.fromEntries([...written, ...gone])
  }
}

/** What is wrong with the draft as far as the page can tell, by the place that a refusal of the service would name. */
export function draftFaults(
  draft: ConnectionDraft,
  kind: ConnectionKind,
  stored: Connection['secrets'] = {}
): Map<string, string> {
  const faults = new Map<string, string>()
  const name = draft.name.trim()
  if (name === '') faults.set('/name', 'Give it a name that nodes can refer to.')
  else if (!connectionName.test(name)) {
    faults.set(
      '/name',
      'Use letters, digits, spaces and - _ . only, at most 100; begin and end with a letter or digit.'
    )
  }
  for (const { name, title, isRequired } of settingFields(kind, draft.settings)) {
    if (isRequired && isEmpty(draft.settings[name])) faults.set(`/settings/${name}`, `${title} is required.`)
  }
  for (const { name, title, isRequired } of secretFields(kind, draft.settings)) {
    const typed = draft.secrets[name]
    const isThere = typed === undefined ? Object.hasOwn(stored, name) : typed !== null && typed !== ''
    if (isRequired && !isThere) faults.set(`/secrets/${name}`, `${title} is required.`)
  }
  return faults
}

/** Whether the connection would lead to another place than the one that its secrets were entered for. */
export function isElsewhere(draft: ConnectionDraft, kind: ConnectionKind, stored: Connection): boolean {
  const typed = Object.fromEntries(Object.entries(draft.settings).filter(([, value]) => !isEmpty(value)))
  return leadsElsewhere(withStandards(kind, stored.settings), withStandards(kind, typed))
}

function isTyped(secret: string | null | undefined): secret is string {
  return typeof secret === 'string' && secret !== ''
}

/** An empty text is no setting: what was typed and taken away again is as if it had never been. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
