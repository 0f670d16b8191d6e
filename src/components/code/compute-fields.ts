import type { NumberField } from '../../plugin-api.ts'

/** How far people's code may go. */
export const LIMIT_FIELDS = {
  timeout_ms: {
    kind: 'number',
    title: 'Most time (ms)',
    default: 5_000,
    min: 10,
    max: 300_000,
    integer: true,
    hidden: true
  },
  memory_mb: {
    kind: 'number',
    title: 'Most memory (MB)',
    default: 64,
    min: 8,
    max: 512,
    integer: true,
    hidden: true
  }
} as const satisfies Record<string, NumberField>
