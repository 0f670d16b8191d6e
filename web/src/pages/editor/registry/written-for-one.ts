/** Texts that are about one node, by the type of the component: to set them for several at once makes no sense. */
const WRITTEN_FOR_ONE: Readonly<Record<string, readonly string[]>> = {
  webhook: ['curl'],
  form: ['fields'],
  sql: ['query'],
  code: ['code'],
  transform: ['expression'],
  filter: ['expression'],
  'if-else': ['expression'],
  repeat: ['until']
}

export function isWrittenForOne(type: string, field: string): boolean {
  return Object.hasOwn(WRITTEN_FOR_ONE, type) && WRITTEN_FOR_ONE[type]!.includes(field)
}
