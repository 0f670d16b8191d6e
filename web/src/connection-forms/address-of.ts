import type { Connection } from '../api/connections.ts'

/** Where a connection leads, in a line; empty where its kind says that by itself. */
export function addressOf({ settings }: Pick<Connection, 'settings'>): string {
  const { base_url: base, url, host, port, database, file } = settings
  const whole = base ?? url ?? file
  if (whole !== undefined) return String(whole)
  if (host === undefined) return ''
  const place = port === undefined ? String(host) : `${host}:${port}`
  return database === undefined ? place : `${place}/${database}`
}
