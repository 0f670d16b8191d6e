import type { FastifyInstance } from 'fastify'
import { Type } from '../../flows/json/schema-builder.ts'
import { assertUnbound } from '../access/access.ts'
import { Setting } from './settings-schema.ts'

interface ToldSetting {
  readonly name: string
  readonly value: number | string | readonly string[] | null
  readonly isDefault: boolean
}

/** What the operator has set, for whoever administers the service without seeing its environment. */
export function settingsRoute(
  app: FastifyInstance,
  { settings }: { readonly settings: readonly ToldSetting[] }
): void {
  app.get(
    '/api/v1/settings',
    {
      config: { access: 'admin' },
      schema: {
        tags: ['Operations'],
        operationId: 'listSettings',
        summary: 'What the operator has set',
        refuses: ['forbidden'],
        description: 'Retention, storage, where steps may go, and limits. No secrets.',
        response: { 200: Type.Object({ settings: Type.Array(Setting) }) }
      }
    },
    async (request) => {
      assertUnbound(request)
      return {
        settings: settings.map(({ name, value, isDefault }) => ({
          name,
          value: typeof value === 'object' && value !== null ? [...value] : value,
          default: isDefault
        }))
      }
    }
  )
}
