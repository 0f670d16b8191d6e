import { brokenAmong, type StoredSecret, secretsOf } from '../connections/reseal-connections.ts'
import { keyIdOf } from '../connections/sealed-secret.ts'
import type { SecretKeys } from '../connections/secret-keys.ts'
import type { StoredConnection } from '../store/connections.ts'
import { type Finding, fault, ok, warning } from '../store/finding.ts'
import { count } from './progress.ts'

const CHECK = 'secrets'
const REMEDY =
  'Give MILLRACE_SECRET_KEY that key, too, or put the secret.key of your backup in its place; where it is lost, enter the secret again.'

/** Which key seals how many secrets of connections, and which cannot be opened. Keys are told by their ids, secrets by their names. */
export function examineSecrets(
  stored: readonly StoredConnection[],
  keys: SecretKeys | undefined
): readonly Finding[] {
  const secrets = stored.flatMap(secretsOf)
  if (secrets.length === 0) return [ok(CHECK, 'none is stored')]
  if (keys === undefined) {
    const ids = [...countByKey(secrets).keys()].join(', ')
    return [
      fault(CHECK, `${count(secrets.length)} are sealed with the key ${ids}, and no key is there`, REMEDY)
    ]
  }
  const broken = brokenAmong(stored, keys)
  const opened = secrets.filter(({ sealed }) => !broken.some((one) => one.sealed === sealed))
  return [
    ...(opened.length === 0 ? [] : [sealedFinding(opened, keys)]),
    ...broken.map(({ place, connection, reason }) =>
      fault(CHECK, `"${place.name}" of the connection "${connection}" in ${place.context}: ${reason}`, REMEDY)
    )
  ]
}

function sealedFinding(opened: readonly StoredSecret[], [first]: SecretKeys): Finding {
  const counts = [...countByKey(opened)].map(([id, number]) => `${count(number)} with the key ${id}`)
  const told = `sealed and sound: ${counts.join(', ')}`
  if (opened.every(({ sealed }) => keyIdOf(sealed) === first.id)) return ok(CHECK, told)
  return warning(
    CHECK,
    `${told}; new ones are sealed with ${first.id}`,
    'Run millrace rotate-secrets before another key is taken away.'
  )
}

function countByKey(secrets: readonly StoredSecret[]): Map<string, number> {
  const groups = Map.groupBy(secrets, ({ keyId }) => keyId)
  return new Map([...groups].map(([id, members]) => [id, members.length]))
}
