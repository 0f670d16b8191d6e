import { playOnPostgres } from './support/stories-on-postgres.ts'

// Stories that were written for one process with the embedded store, word for word on PostgreSQL.
playOnPostgres()
await import('./run-control.test.ts')
await import('./run-retry.test.ts')
await import('./events.test.ts')
await import('./duplicates.test.ts')
await import('./respond.test.ts')
await import('./flow-pause.test.ts')
await import('./waiting.test.ts')
await import('./wait-for-call.test.ts')
await import('./approve.test.ts')
await import('./agent-limits.test.ts')
await import('./first-start.test.ts')
