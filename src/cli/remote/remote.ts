import type { Api } from './api.ts'
import type { Outside } from './outside.ts'
import type { Screen } from './print/screen.ts'

/** What a command that speaks to a service works with. */
export interface Remote {
  readonly api: Api
  readonly screen: Screen
  readonly outside: Outside
}
