import { hash } from 'node:crypto'
import type { Delivery } from '../store/deliveries.ts'

/** By what an event of a trigger is known when it comes again. */
export function eventDelivery(flowId: string, node: string, id: string): Delivery {
  // As long as those of webhooks.
  return { key: hash('sha256', `${flowId}\0trigger\0${node}\0${id}`, 'base64url').slice(0, 22), body: null }
}
