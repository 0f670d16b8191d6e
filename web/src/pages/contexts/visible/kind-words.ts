import type { RegistrationKind } from '../../../api/contexts.ts'

/** What somebody asks for, in words; the API's own are those of programmers. */
export const KIND_WORDS: Readonly<Record<RegistrationKind, string>> = {
  component: 'Component',
  variable: 'Variable',
  connection: 'Connection',
  decoration: 'Member of run',
  hook: 'Hook',
  decorator: 'Decorator',
  route: 'Route',
  plugin: 'Plugin'
}
