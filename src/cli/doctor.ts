import { MillraceError, messageOf } from '../errors.ts'
import type { Config } from '../startup/config.ts'
import { existingKeys } from '../startup/secret-key-file.ts'
import type { StoredKey } from '../store/credentials.ts'
import { type ExamineConnections, type Finding, fault, ok, warning } from '../store/finding.ts'
import { examinePostgresStore } from '../store/postgres/upkeep/examine-store.ts'
import { examineSqliteStore } from '../store/sqlite/upkeep/examine-store.ts'
import { examineFiles } from './examine-files.ts'
import { examineFlowFolder } from './examine-flow-folder.ts'
import { examineKeys } from './examine-keys.ts'
import { examineSecrets } from './examine-secrets.ts'
import { harmlessLines } from './remote/print/width.ts'

export interface Patient {
  /** Throws where the environment is not valid. */
  readonly configuration: () => Config
  /** The version of Node that runs this. */
  readonly node: string
  readonly now: () => number
}

/** Looks at everything that the service stands on, and changes nothing. */
export async function examine({ configuration, node, now }: Patient): Promise<Finding[]> {
  const findings = [examineNode(node)]
  let config: Config
  try {
    config = configuration()
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error
    return [
      ...findings,
      fault('configuration', messageOf(error), 'Correct the variable, then run doctor again.')
    ]
  }
  findings.push(ok('configuration', configurationText(config)))
  const judges = {
    examineConnections: examineSecretsOf(config),
    examineKeys: (keys: readonly StoredKey[]) => examineKeys(keys, config.apiKey !== null, now())
  }
  const store =
    config.database === null
      ? examineSqliteStore({ folder: config.home, ...judges })
      : await examinePostgresStore({ url: config.database.url, now, ...judges })
  // What cannot be read tells nothing of its files.
  const files = hasFault(store) ? [] : await examineFiles(config, now)
  const flows = config.flowsFolder === null ? [] : [await examineFlowFolder(config.flowsFolder)]
  return [...findings, ...store, ...files, ...flows]
}

/** A key that cannot be read is a finding too. */
function examineSecretsOf(config: Config): ExamineConnections {
  return (stored) => {
    try {
      return examineSecrets(stored, existingKeys(config))
    } catch (error) {
      if (!(error instanceof MillraceError)) throw error
      return [fault('secrets', messageOf(error), 'Fix that, then run doctor again.')]
    }
  }
}

function configurationText({ database, home, role }: Config): string {
  return database === null ? `embedded store in ${home}` : `PostgreSQL, role ${role}`
}

/** Millrace is tested on the first and on one of the last; a clone brings the Node that it runs on. */
const OLDEST = [22, 13] as const
const NEWEST = 24

function examineNode(node: string): Finding {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
  if (isOld)
    return fault(
      'node',
      `Node ${node}, older than ${OLDEST.join('.')}`,
      `Install Node ${NEWEST}, then run doctor again.`
    )
  if (major <= NEWEST) return ok('node', `Node ${node}`)
  const remedy = `Start Millrace with Node ${NEWEST} where something does not work.`
  return warning('node', `Node ${node}, newer than ${NEWEST}, which is tested`, remedy)
}

export function hasFault(findings: readonly Finding[]): boolean {
  return findings.some(({ verdict }) => verdict === 'fault')
}

/** One line per check, and the remedy below where there is one. */
export function reportOf(findings: readonly Finding[]): string {
  const lines = findings.map(({ check, verdict, says, remedy }) => {
    const line = `${verdict.padEnd(8)} ${check.padEnd(14)} ${says}`
    return remedy === undefined ? line : `${line.replace(/\.$/, '')}. ${remedy}`
  })
  const count = (verdict: Finding['verdict']) => findings.filter((one) => one.verdict === verdict).length
  const [faults, warnings] = [count('fault'), count('warning')]
  const sum = faults + warnings === 0 ? 'No problems found.' : `Faults: ${faults}, warnings: ${warnings}.`
  // Names of files, flows and keys are written by anybody, and this is read on a terminal.
  return harmlessLines(`${[...lines, '', sum].join('\n')}\n`)
}
