import type { TObject } from 'typebox'
import type { Destination } from '../../egress/address-policy.ts'
import { holds, type SettingCondition } from './setting-condition.ts'

/** What a kind of connection holds. The page draws its form from this, the API checks with it. */
export interface ConnectionKind {
  readonly title: string
  /** One sentence on what it is for. */
  readonly description: string
  /** Each setting has a `title`; `shown_when` says where it matters, `value_titles` what its choices are called. */
  readonly settings: TObject
  /** By their names; which of them are needed may depend on the settings. */
  readonly secrets: Readonly<Record<string, SecretFacts>>
  /** Where it holds further secrets, by names that its settings give them: those that they name. */
  readonly namedSecrets?: (settings: Settings) => string[]
  /** Secrets that are sent in a header as they are, by name. */
  readonly headerSecrets?: (settings: Settings) => string[]
  /** What is wrong with settings beyond what their schema says, by name. */
  readonly faults?: (settings: Settings) => SettingFault[]
  /** Its address where the settings give none. */
  readonly standardUrl?: string
  /** Where it leads; nowhere where that is not a place on a network. */
  readonly destinations: (settings: Settings) => Destination[]
}

export interface SecretFacts {
  readonly title: string
  /** Where it matters; everywhere where this is left out. */
  readonly shownWhen?: SettingCondition
  /** Where it does not work without it; nowhere where this is left out. */
  readonly neededWhen?: SettingCondition
}

export interface SettingFault {
  readonly setting: string
  readonly message: string
}

export type Settings = Readonly<Record<string, unknown>>

/** Whether a connection of this kind with these settings does not work without the secret. */
export function isNeeded(kind: ConnectionKind, secret: SecretFacts, settings: Settings): boolean {
  return secret.neededWhen !== undefined && holds(secret.neededWhen, withDefaults(kind, settings))
}

/** Names of settings that a connection of this kind does not work without, by what the others are. */
export function missingSettings(kind: ConnectionKind, settings: Settings): string[] {
  const whole = withDefaults(kind, settings)
  return Object.entries(kind.settings.properties).flatMap(([name, schema]) => {
    const { needed_when: when } = schema as { readonly needed_when?: SettingCondition }
    return when !== undefined && holds(when, whole) && settings[name] === undefined ? [name] : []
  })
}

/** Whether it matters at all to a connection with these settings. */
export function isShown(kind: ConnectionKind, secret: SecretFacts, settings: Settings): boolean {
  return secret.shownWhen === undefined || holds(secret.shownWhen, withDefaults(kind, settings))
}

export function withDefaults(kind: ConnectionKind, settings: Settings): Settings {
  const defaults = Object.entries(kind.settings.properties).flatMap(([name, schema]) =>
    'default' in schema ? [[name, schema.default]] : []
  )
  return { ...Object.fromEntries(defaults), ...settings }
}
