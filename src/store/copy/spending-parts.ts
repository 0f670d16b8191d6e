import { bigint, text } from './columns.ts'
import type { Part } from './part.ts'

/** What models cost, and may cost. */
export const spendingParts = [
  {
    name: 'model_prices',
    key: ['model'],
    columns: [text('model'), bigint('input'), bigint('cached'), bigint('output')]
  },
  { name: 'budgets', key: ['context'], columns: [text('context'), bigint('per_month'), bigint('per_run')] },
  {
    name: 'spending',
    key: ['day', 'context', 'flow_id', 'model'],
    columns: [
      text('day'),
      text('context'),
      text('flow_id'),
      text('model'),
      bigint('calls'),
      bigint('input'),
      bigint('cached'),
      bigint('output'),
      bigint('cost'),
      bigint('unpriced')
    ]
  }
] as const satisfies readonly Part[]
