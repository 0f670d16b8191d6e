export const REGISTRATION_KINDS = ['component', 'decoration', 'hook', 'variable', 'plugin', 'route'] as const

export type RegistrationKind = (typeof REGISTRATION_KINDS)[number]

/** Something that entered the service, with where it came from. */
export interface Registration<T = unknown> {
  readonly kind: RegistrationKind
  readonly name: string
  readonly value: T
  /** Who registered it: the name of the plugin. */
  readonly owner: string
  /** The context that it is registered in. */
  readonly context: string
  /** The file and line of the call, where it is known. */
  readonly source: string | null
  /** Its number among all registrations. */
  readonly order: number
}

export type NewRegistration<T = unknown> = Pick<
  Registration<T>,
  'kind' | 'name' | 'value' | 'owner' | 'source'
>

/** `registered by sales at plugins/sales.ts:12`, for messages. */
export function provenance(registration: Registration): string {
  const at = registration.source === null ? '' : ` at ${registration.source}`
  return `registered by ${registration.owner} in ${registration.context}${at}`
}
