import { namedSecrets } from '../../../src/connections/kinds/named-secrets.ts'
import { holds } from '../../../src/connections/kinds/setting-condition.ts'
import type { ConnectionKind, SecretFacts, SettingSchema } from '../api/connections.ts'

/** How a setting is asked for. */
type Control =
  | { readonly kind: 'text'; readonly isLong: boolean }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly isWhole: boolean }
  | { readonly kind: 'texts' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }

interface Choice {
  /** What a list of choices calls it by: text, whatever the value is. */
  readonly key: string
  readonly label: string
  readonly value: unknown
}

export interface SettingField {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly isRequired: boolean
  /** What it is where nothing is said. */
  readonly standard: unknown
  readonly control: Control
  /** It comes behind the secrets. */
  readonly isLast: boolean
}

export type Settings = Readonly<Record<string, unknown>>

/** The settings of a kind that matter where the others are these. */
export function settingFields(kind: ConnectionKind, settings: Settings): SettingField[] {
  const { properties, required = [] } = kind.settings
  const known = withStandards(kind, settings)
  return Object.entries(properties)
    .filter(([, { shown_when: when, form }]) => form !== 'none' && (when === undefined || holds(when, known)))
    .map(([name, schema]) => ({
      name,
      title: schema.title ?? name,
      description: schema.description ?? '',
      isRequired: required.includes(name) || isNeeded(schema, known),
      standard: schema.default,
      control: controlOf(schema),
      isLast: schema.form === 'last'
    }))
}

function isNeeded({ needed_when: when }: SettingSchema, settings: Settings): boolean {
  return when !== undefined && holds(when, settings)
}

export interface SecretField {
  readonly name: string
  readonly title: string
  readonly isRequired: boolean
}

/** Those of the kind that matter, and those that the settings name. `titles` is what a service calls them. */
export function secretFields(
  kind: ConnectionKind,
  settings: Settings,
  titles: Readonly<Record<string, string>> = {}
): SecretField[] {
  const known = withStandards(kind, settings)
  const own = ownSecrets(kind, known)
  const isAsked = (name: string) => own.some((field) => field.name === name)
  const named = kind.kind === 'http' ? namedSecrets(settings).filter((name) => !isAsked(name)) : []
  const further = named.map((name) => ({ name, title: `Secret {${name}}`, isRequired: true }))
  return [...own, ...further].map((field) =>
    Object.hasOwn(titles, field.name) ? { ...field, title: titles[field.name]! } : field
  )
}

/** Settings that stay as they are: no form asks for them. */
export function unaskedSettings(kind: ConnectionKind): string[] {
  return Object.entries(kind.settings.properties).flatMap(([name, { form }]) =>
    form === 'none' ? [name] : []
  )
}

function ownSecrets(kind: ConnectionKind, known: Settings): SecretField[] {
  return kind.secrets
    .filter(({ shown_when: when }) => when === null || holds(when, known))
    .map(({ name, title, needed_when: when }: SecretFacts) => {
      return { name, title, isRequired: when !== null && holds(when, known) }
    })
}

export function withStandards(kind: ConnectionKind, settings: Settings): Settings {
  const standards = Object.entries(kind.settings.properties).flatMap(([name, schema]) =>
    schema.default === undefined ? [] : [[name, schema.default]]
  )
  return { ...Object.fromEntries(standards), ...settings }
}

/** A text of so many letters is not written in one line. */
const LONG = 2000

function controlOf(schema: SettingSchema): Control {
  if (schema.enum !== undefined || schema.anyOf !== undefined) {
    return { kind: 'choice', choices: valuesOf(schema).map((value) => choiceOf(value, schema)) }
  }
  switch (schema.type) {
    case 'boolean':
      return { kind: 'flag' }
    case 'integer':
    case 'number':
      return {
        kind: 'number',
        isWhole: schema.type === 'integer',
        ...(schema.minimum === undefined ? {} : { min: schema.minimum }),
        ...(schema.maximum === undefined ? {} : { max: schema.maximum })
      }
    case 'object':
      return { kind: 'texts' }
    default:
      return { kind: 'text', isLong: (schema.maxLength ?? 0) > LONG }
  }
}

function valuesOf(schema: SettingSchema): readonly unknown[] {
  if (schema.enum !== undefined) return schema.enum
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(valuesOf)
  return schema.type === 'boolean' ? [false, true] : [schema.const]
}

function choiceOf(value: unknown, { value_titles: titles = {} }: SettingSchema): Choice {
  const key = String(value)
  return { key, label: titles[key] ?? key, value }
}
