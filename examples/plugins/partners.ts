import bearerAuth from '@fastify/bearer-auth'
import type { Context } from 'millrace'
import sales from './sales.ts'

export default async function partners(context: Context) {
  context.register(bearerAuth, { keys: readKeys() })
  context.variable('terms', 'payable in 30 days')
  context.register(sales)
  context.register(gold, { context: 'gold' })
}

async function gold(context: Context) {
  context.variable('terms', 'payable in 90 days')
}

function readKeys(): string[] {
  const keys = process.env.PARTNER_KEYS?.split(',') ?? []
  if (keys.length === 0) throw new Error('PARTNER_KEYS is not set. Name the keys that partners send.')
  return keys
}
