import assert from 'node:assert/strict'
import { Egress } from '../../egress/egress.ts'
import { StepError } from '../../engine/step-error.ts'
import type { OpenConnection } from '../../flows/step/step-connection.ts'
import type { Database, QueryResult, SqlValue } from './database.ts'
import { readStatement } from './read-statement.ts'

export const never = new AbortController().signal

export type Settings = Readonly<Record<string, unknown>>

interface Asked {
  readonly values?: Readonly<Record<string, SqlValue>>
  readonly maxRows?: number
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  readonly onCommit?: () => void
}

/** What a step may put out. */
export const ROOM = { bytes: 1024 ** 2, of: 'step', most: 1024 ** 2 } as const

const guard = new Egress({ allow: [] })

/** A connection as a step opens it: what somebody who may do so has saved. */
export function openConnection(
  kind: string,
  settings: Settings,
  secrets: OpenConnection['secrets'] = {}
): OpenConnection {
  const opened = new Map<unknown, unknown>()
  const none = () => assert.fail('a database is no matter of HTTP')
  const connection: OpenConnection = {
    name: 'shop',
    kind,
    settings,
    secrets,
    redact: (text) => text,
    request: none,
    fetch: none,
    operation: none,
    socket: () => guard.socket({ host: String(settings.host), port: Number(settings.port) }),
    withResource: async (resource, work) => {
      if (!opened.has(resource)) opened.set(resource, await resource.open(connection))
      return work(opened.get(resource) as never)
    }
  }
  return connection
}

export function ask(database: Database, source: string, asked: Asked = {}): Promise<QueryResult> {
  const { values = {}, maxRows = 1_000, timeoutMs = 60_000, signal = never } = asked
  const statement = readStatement(source, database.dialect)
  const limits = { maxRows, output: ROOM }
  const { onCommit = () => {} } = asked
  const valueFor = (name: string) => values[name]!
  return database.run({ source, statement, valueFor, limits, timeoutMs, signal, onCommit })
}

/** What it fails with. */
export async function failure(asking: Promise<unknown>): Promise<StepError> {
  try {
    await asking
  } catch (error) {
    assert.ok(error instanceof StepError, String(error))
    return error
  }
  return assert.fail('it did not fail')
}
