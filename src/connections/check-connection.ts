import { Check, Errors } from 'typebox/schema'
import type { Fault } from '../errors.ts'
import { didYouMean } from '../flows/closest-name.ts'
import { PATTERN_REMEDIES } from '../flows/validate/pattern-remedies.ts'
import { type ConnectionKind, isNeeded, missingSettings, type Settings } from './kinds/connection-kind.ts'
import { CONNECTION_KINDS, kindOf } from './kinds/kinds.ts'
import { isSecretName } from './kinds/named-secrets.ts'

/** What is wrong with settings and secrets of this kind; secrets are given by their names, never by their values. */
export function connectionFaults(kind: string, settings: Settings, secrets: readonly string[]): Fault[] {
  const known = kindOf(kind)
  if (known === undefined) {
    const kinds = Object.keys(CONNECTION_KINDS)
    return [
      fault('/kind', `There is no kind "${kind}". Kinds are ${kinds.join(', ')}.${didYouMean(kind, kinds)}`)
    ]
  }
  const ofSettings = Check(known.settings, settings) ? [] : settingFaults(kind, known, settings)
  const named = known.namedSecrets?.(settings) ?? []
  const further = secrets.filter((name) => !Object.hasOwn(known.secrets, name))
  const strangers = known.namedSecrets === undefined ? further : further.filter((name) => !isSecretName(name))
  const missing = Object.entries(known.secrets).filter(
    ([name, secret]) => isNeeded(known, secret, settings) && !secrets.includes(name)
  )
  return [
    ...ofSettings,
    ...Object.entries(settings).flatMap(([name, value]) =>
      holdsSignIn(value) ? [fault(`/settings/${name}`, signInWords(name))] : []
    ),
    ...(known.faults?.(settings) ?? []).map(({ setting, message }) => fault(`/settings/${setting}`, message)),
    ...missingSettings(known, settings).map((name) =>
      fault(`/settings/${name}`, `The setting "${name}" is missing, which these others need.`)
    ),
    ...strangers.map((name) =>
      fault(`/secrets/${name}`, strangerWords(kind, name, Object.keys(known.secrets)))
    ),
    ...(further.length > MOST_FURTHER ? [fault('/secrets', tooManyWords(kind))] : []),
    ...named
      .filter((name) => !secrets.includes(name) && !missing.some(([known]) => known === name))
      .map((name) => fault(`/secrets/${name}`, namedWords(name))),
    ...missing.map(([name, { title }]) =>
      fault(
        `/secrets/${name}`,
        `The secret "${name}" (${title}) is missing. Send it once; it is kept sealed.`
      )
    )
  ]
}

/** A step is read for each of them. */
const MOST_FURTHER = 20

function tooManyWords(kind: string): string {
  return `A connection of the kind ${kind} holds at most ${MOST_FURTHER} secrets by names of your own.`
}

function namedWords(name: string): string {
  return `The settings name the secret {${name}}, and there is none of that name. Send it once; it is kept sealed. A brace by itself is written "{{".`
}

/** An address is shown to whoever administers the connection, and is no place for a password. */
function holdsSignIn(value: unknown): boolean {
  if (typeof value !== 'string' || !/^https?:/i.test(value) || !URL.canParse(value)) return false
  const { username, password } = new URL(value)
  return username !== '' || password !== ''
}

function signInWords(name: string): string {
  return `The setting "${name}" has a user or password in the address. Take it out of there, and enter it as authentication and secret.`
}

function settingFaults(kind: string, known: ConnectionKind, settings: Settings): Fault[] {
  const [, errors] = Errors(known.settings, settings)
  return (
    errors
      // Said twice: of the setting that nobody knows, and of the whole that has it.
      .filter(
        ({ keyword, schemaPath }) => keyword !== 'boolean' || !schemaPath.endsWith('/additionalProperties')
      )
      .map(({ instancePath, message, keyword, params }) => {
        const words =
          keyword === 'additionalProperties'
            ? unknownSetting(kind, params as { additionalProperties?: readonly string[] }, known)
            : `The setting${instancePath === '' ? 's' : ` "${instancePath.slice(1)}"`} of a connection of the kind ${kind} ${remedyFor(params) ?? `${message}.`}`
        return fault(`/settings${instancePath}`, words)
      })
  )
}

/** What to write, where a pattern says it. */
function remedyFor(params: object): string | undefined {
  const { pattern } = params as { readonly pattern?: string | RegExp }
  const remedy = PATTERN_REMEDIES[pattern instanceof RegExp ? pattern.source : (pattern ?? '')]
  return remedy === undefined ? undefined : `is written in another way. ${remedy}`
}

function unknownSetting(
  kind: string,
  { additionalProperties = [] }: { additionalProperties?: readonly string[] },
  known: ConnectionKind
): string {
  const name = additionalProperties[0] ?? ''
  const names = Object.keys(known.settings.properties)
  return `A connection of the kind ${kind} has no setting "${name}". Its settings are ${names.join(', ')}.${didYouMean(name, names)}`
}

function strangerWords(kind: string, name: string, known: readonly string[]): string {
  const list = known.length === 0 ? 'It has none.' : `Its secrets are ${known.join(', ')}.`
  return `A connection of the kind ${kind} has no secret "${name}". ${list}`
}

function fault(path: string, message: string): Fault {
  return { code: 'connection_invalid', path, message }
}
