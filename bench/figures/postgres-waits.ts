import { startDatabase } from '../postgres-database.ts'
import type { Figure, Target } from './figure.ts'
import type { Bench, FigureGroup } from './group.ts'
import { measureWaitingRuns, WAITING_TARGETS } from './waiting-runs.ts'
import { measureWaking, WAKING_TARGETS } from './waking.ts'

function onPostgres<T extends Target>(target: T): T {
  return { ...target, name: `PostgreSQL: ${target.name}` }
}

/** The figures of waits on one process that shares its store: it claims what is due, and others could. */
export const postgresWaitsGroup: FigureGroup = {
  key: 'waits',
  about: '10,000 runs due at one moment and 100,000 that wait, on PostgreSQL (takes minutes)',
  targets: [...WAKING_TARGETS, ...WAITING_TARGETS].map(onPostgres),
  async measure(bench: Bench): Promise<Figure[]> {
    const database = await startDatabase()
    const store = async (name: string) => {
      await database.sql(`CREATE DATABASE ${name}`)
      const url = new URL(database.url)
      url.pathname = name
      return { env: { DATABASE_URL: url.href }, trees: [database.postmaster] }
    }
    try {
      const waking = await measureWaking(bench, await store('waking'))
      const stores = { waiting: await store('waiting'), none: await store('none_waiting') }
      return [...waking, ...(await measureWaitingRuns(bench, stores))].map(onPostgres)
    } finally {
      await database.stop()
    }
  }
}
