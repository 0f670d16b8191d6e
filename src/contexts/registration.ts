export const REGISTRATION_KINDS = [
  'component',
  'decoration',
  'hook',
  'variable',
  'connection',
  'plugin',
  'decorator',
  'route'
] as const

/**
 * `decoration` is a member of `run` (decorateRun); `decorator` is Fastify's own, on the instance, the request or
 * the reply. A hook is a run hook or one of Fastify's.
 */
export type RegistrationKind = (typeof REGISTRATION_KINDS)[number]

/** Who made something, and where. */
export interface Origin {
  /** The name of the plugin. */
  readonly owner: string
  /** The file and line of the call, where it is known. */
  readonly source: string | null
}

/** Something that entered the service, with where it came from. */
export interface Registration<T = unknown> extends Origin {
  readonly kind: RegistrationKind
  readonly name: string
  readonly value: T
  /** The context that it is registered in. */
  readonly context: string
  /** Its number among all registrations. */
  readonly order: number
}

export type NewRegistration<T = unknown> = Omit<Registration<T>, 'context' | 'order'>

/** `registered by sales in /sales at plugins/sales.ts:12`, for messages. */
export function provenance(registration: Registration): string {
  const at = registration.source === null ? '' : ` at ${registration.source}`
  return `registered by ${registration.owner} in ${registration.context}${at}`
}

/** Where somebody registers what is there already, after the provenance of that. */
export function againAt({ source }: Pick<Origin, 'source'>): string {
  return source === null ? '' : `, and again at ${source}`
}
