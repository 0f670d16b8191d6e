interface Ran {
  readonly version: number | undefined
  readonly isTest: boolean
  readonly isEdited: boolean
}

/**
 * What a run ran, as it is called everywhere. A test stays one: that what it tried is published by now does not make it a
 * run of that version.
 */
export function ranWords({ version, isTest, isEdited }: Ran): string {
  const ran = isTest || version === undefined ? 'test' : `v${version}`
  return isEdited ? `${ran}, edited since` : ran
}
