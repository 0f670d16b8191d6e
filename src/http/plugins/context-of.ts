import type { FastifyInstance } from 'fastify'
import { ROOT } from '../../contexts/context-path.ts'

const CONTEXT = Symbol('millrace.context')

type Placed = Record<symbol, string | undefined>

/** Notes which context of the tree a Fastify instance stands for. Its children stand for the same until told. */
export function standFor(instance: FastifyInstance, path: string): void {
  Object.defineProperty(instance, CONTEXT, { value: path, configurable: true })
}

export function contextOf(instance: FastifyInstance): string {
  return (instance as unknown as Placed)[CONTEXT] ?? ROOT
}
