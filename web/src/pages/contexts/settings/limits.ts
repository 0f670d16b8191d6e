import type { ContextLimits } from '../../../api/contexts.ts'
import { sizeFault, sizeOf, sizeText } from './sizes.ts'

/** Limits as they are typed; nothing typed is nothing set. */
export interface LimitTexts {
  readonly rate_limit: string
  readonly concurrency: string
  readonly step_output_bytes: string
  readonly run_output_bytes: string
}

export function limitTexts(limits: ContextLimits): LimitTexts {
  return {
    rate_limit: textOf(limits.rate_limit),
    concurrency: textOf(limits.concurrency),
    step_output_bytes: sizeText(limits.step_output_bytes),
    run_output_bytes: sizeText(limits.run_output_bytes)
  }
}

function textOf(limit: number | undefined): string {
  return limit === undefined ? '' : String(limit)
}

export function limitFault(text: string): string | undefined {
  if (text.trim() === '' || /^\d{1,9}$/.test(text.trim())) return undefined
  return 'Enter a whole number. 0 means no limit; leave it empty to use the value of the contexts above.'
}

/** Whether everything that is typed can be saved. */
export function areSound({
  rate_limit,
  concurrency,
  step_output_bytes,
  run_output_bytes
}: LimitTexts): boolean {
  const faults = [rate_limit, concurrency].map(limitFault)
  return [...faults, ...[step_output_bytes, run_output_bytes].map(sizeFault)].every(
    (fault) => fault === undefined
  )
}

export function limitsOf(texts: LimitTexts): ContextLimits {
  const { rate_limit, concurrency, step_output_bytes, run_output_bytes } = texts
  return {
    ...(rate_limit.trim() === '' ? {} : { rate_limit: Number(rate_limit) }),
    ...(concurrency.trim() === '' ? {} : { concurrency: Number(concurrency) }),
    ...(step_output_bytes.trim() === '' ? {} : { step_output_bytes: sizeOf(step_output_bytes)! }),
    ...(run_output_bytes.trim() === '' ? {} : { run_output_bytes: sizeOf(run_output_bytes)! })
  }
}
