import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { MillraceError } from '../../../errors.ts'
import type { Query } from '../database/database.ts'
import { QUEUE_SCHEMA } from './job-rows.ts'

/**
 * The version of pg-boss's tables that our own SQL on them was tested with. pg-boss itself goes on with tables that are
 * newer than it knows, and changes older ones when it starts; neither says anything of what we read and write in them.
 * Raise this together with pg-boss in package.json, when the tests of this folder and the drill pass.
 */
export const TESTED_VERSION = 42

export const MISSING_QUEUE = `pg-boss's tables in the schema ${QUEUE_SCHEMA} are missing`

interface QueueVersions {
  /** Undefined where the tables are not there yet. */
  readonly stored: number | undefined
  /** What the installed pg-boss makes of them when it starts. */
  readonly installed: number
}

interface Untested {
  readonly says: string
  readonly remedy: string
}

/** Why the queue cannot be used; undefined where it is as tested, or will be as soon as pg-boss has started. */
export function untestedQueue({ stored, installed }: QueueVersions): Untested | undefined {
  if (installed !== TESTED_VERSION) {
    return {
      says: `the installed pg-boss makes tables of version ${installed}, and Millrace was tested with version ${TESTED_VERSION}`,
      remedy: 'Install the packages as package-lock.json names them: npm ci.'
    }
  }
  if (stored === undefined || stored <= TESTED_VERSION) return undefined
  return {
    says: `the tables of pg-boss have version ${stored}, and this Millrace was tested with version ${TESTED_VERSION}`,
    remedy: 'Start the newer Millrace that made them, or restore a backup that is older.'
  }
}

export async function queueVersions(query: Query): Promise<QueueVersions> {
  return { stored: await storedVersion(query), installed: installedVersion() }
}

/** Rejects with `queue_untested` where our SQL would stand on tables that nobody has tried it on. */
export async function refuseUntestedQueue(query: Query, place: string): Promise<void> {
  const untested = untestedQueue(await queueVersions(query))
  if (untested === undefined) return
  const { says, remedy } = untested
  throw new MillraceError(
    'queue_untested',
    `The queue in the store at ${place} cannot be used: ${says}. ${remedy}`
  )
}

async function storedVersion(query: Query): Promise<number | undefined> {
  const [found] = await query<{ isThere: boolean }>(
    `SELECT to_regclass('${QUEUE_SCHEMA}.version') IS NOT NULL AS "isThere"`
  )
  if (!found!.isThere) return undefined
  const [row] = await query<{ version: number }>(`SELECT version FROM ${QUEUE_SCHEMA}.version`)
  return row?.version ?? 0
}

function installedVersion(): number {
  const path = fileURLToPath(import.meta.resolve('pg-boss/package.json'))
  const { pgboss } = JSON.parse(readFileSync(path, 'utf8')) as { pgboss: { schema: number } }
  return pgboss.schema
}
