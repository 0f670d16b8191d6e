/** How the service's process is set up. */
export const serviceProcess: {
  readonly flags: readonly string[]
  readonly env: Readonly<Record<string, string>>
}
