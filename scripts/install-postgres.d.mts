export function findPostgres(): string[]
export function ensurePostgres(): Promise<void>
