import type { OutputLimit } from '../flows/component/component.ts'
import { StepError } from './step-error.ts'

/** What a step, and all steps of a run together, may put out: bytes of JSON, which is what is stored. */
export interface OutputLimits {
  readonly step: number
  readonly run: number
}

export const DEFAULT_OUTPUT_LIMITS: OutputLimits = { step: 16 * 1024 ** 2, run: 64 * 1024 ** 2 }

export function bytesLeft({ step, run }: OutputLimits, putOut: number): number {
  return Math.min(step, Math.max(0, run - putOut))
}

export function limitLeft({ step, run }: OutputLimits, putOut: number): OutputLimit {
  const left = Math.max(0, run - putOut)
  return left < step ? { bytes: left, of: 'run', most: run } : { bytes: step, of: 'step', most: step }
}

interface TooLarge {
  /** Bytes that it would have been, where that is known. */
  readonly size?: number
  /** What else helps besides a higher limit: the beginning of a sentence. */
  readonly advice?: string
}

export function outputTooLarge(
  limit: OutputLimit,
  { size, advice = 'Put out less' }: TooLarge = {}
): StepError {
  const would = size === undefined ? `more than ${megabytes(limit.bytes)}` : `about ${megabytes(size)}`
  const most = megabytes(limit.most)
  const bound =
    limit.of === 'step'
      ? `a step may put out ${most}`
      : `all steps of a run together may put out ${most}, of which ${megabytes(limit.bytes)} were left`
  const message = `It would put out ${would}, and ${bound}. ${advice}, or raise ${limit.of}_output_bytes among the limits of the flow's context.`
  return new StepError(message, { code: 'output_too_large', retryable: false })
}

/** For people: "16 MB", "1.5 MB", "3 kB". */
export function megabytes(bytes: number): string {
  const [amount, unit] =
    bytes >= 1024 ** 2 ? [bytes / 1024 ** 2, 'MB'] : bytes >= 1024 ? [bytes / 1024, 'kB'] : [bytes, 'bytes']
  return `${amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${unit}`
}
