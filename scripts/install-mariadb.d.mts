export function findMariaDb(): { readonly server: string; readonly install: string } | undefined
export function ensureMariaDb(): Promise<void>
