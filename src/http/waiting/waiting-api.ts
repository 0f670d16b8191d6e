import type { FastifyInstance } from 'fastify'
import { Approvals } from '../../runs/approvals.ts'
import type { ApiParts } from '../api-parts.ts'
import { registerOwn } from '../own-registration.ts'
import { approvalPage } from './approval-page.ts'
import { approvalRoutes } from './approvals.ts'
import { resumeRoute } from './resume.ts'
import { wakeRunRoute } from './wake-run.ts'

export function waitingApi(app: FastifyInstance, parts: ApiParts): void {
  const { runs, runStore, tree, now } = parts
  const approvals = new Approvals({ store: runStore, wake: (...wake) => runs.wake(...wake), now })
  approvalRoutes(app, { ...parts, approvals })
  wakeRunRoute(app, parts)
  registerOwn(app, tree, (scope) => resumeRoute(scope, parts))
  registerOwn(app, tree, (scope) => approvalPage(scope, { ...parts, approvals }))
}
