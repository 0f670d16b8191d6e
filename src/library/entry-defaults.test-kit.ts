import type { EntryDefaults } from './webhook-entry.ts'

/** Of a context that sets nothing. */
export const NO_DEFAULTS: EntryDefaults = {
  of: () => undefined,
  variables: () => ({}),
  signingSecret: () => undefined,
  revision: () => 0
}
