import type { ContextLimits } from '../../../api/contexts.ts'

/** Limits as they are typed; nothing typed is nothing set. */
export interface LimitTexts {
  readonly rate_limit: string
  readonly concurrency: string
}

export function limitTexts({ rate_limit, concurrency }: ContextLimits): LimitTexts {
  return { rate_limit: textOf(rate_limit), concurrency: textOf(concurrency) }
}

function textOf(limit: number | undefined): string {
  return limit === undefined ? '' : String(limit)
}

export function limitFault(text: string): string | undefined {
  if (text.trim() === '' || /^\d{1,9}$/.test(text.trim())) return undefined
  return 'Enter a whole number. 0 means no limit; empty takes the value of the contexts above.'
}

export function limitsOf({ rate_limit, concurrency }: LimitTexts): ContextLimits {
  return {
    ...(rate_limit.trim() === '' ? {} : { rate_limit: Number(rate_limit) }),
    ...(concurrency.trim() === '' ? {} : { concurrency: Number(concurrency) })
  }
}
