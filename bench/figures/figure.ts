/** What is measured and what it has to reach. */
export interface Target {
  readonly name: string
  readonly unit: '' | 'ms' | 'kB' | 'MB'
  /** None: told, not judged. */
  readonly must?: { readonly atLeast: number } | { readonly atMost: number } | { readonly below: number }
}

/** One line of the table. */
export interface Figure extends Target {
  /** Null where it could not be measured. */
  readonly measured: number | null
  /** How it was measured, and the numbers behind a ratio. */
  readonly detail: string
}

export function isReached({ measured, must }: Figure): boolean {
  if (must === undefined) return true
  if (measured === null || !Number.isFinite(measured)) return false
  if ('atLeast' in must) return measured >= must.atLeast
  if ('atMost' in must) return measured <= must.atMost
  return measured < must.below
}

export function mustText({ must, unit }: Target): string {
  if (must === undefined) return ''
  const [sign, limit] =
    'atLeast' in must ? ['≥', must.atLeast] : 'atMost' in must ? ['≤', must.atMost] : ['<', must.below]
  return `${sign} ${limit}${unit === '' ? '' : ` ${unit}`}`
}
