/** The settings of a connection to a server of databases. */
export interface DatabaseSettings {
  readonly host: string
  readonly port?: number
  readonly database: string
  readonly user: string
  readonly ssl?: boolean | 'no-verify'
  readonly ca?: string
  readonly read_only?: boolean
}
