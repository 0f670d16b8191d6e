/** A line that a step leaves for whoever looks at its run. */
export interface StepLog {
  readonly level: LogLevel
  readonly text: string
}

export type LogLevel = (typeof LOG_LEVELS)[number]

export const LOG_LEVELS = ['log', 'info', 'warn', 'error'] as const
