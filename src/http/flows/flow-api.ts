import type { FastifyInstance } from 'fastify'
import type { ApiParts } from '../api-parts.ts'
import { chatRoute } from '../chat/chat.ts'
import { importRoutes } from '../import/import.ts'
import { pullRoute } from '../push/pull.ts'
import { pushRoute } from '../push/push.ts'
import { commentRoutes } from './comments.ts'
import { componentRoutes } from './components.ts'
import { draftChangesRoute } from './draft-changes.ts'
import { draftRoutes } from './drafts.ts'
import { expectationRoutes } from './expectations.ts'
import { flowRoutes } from './flows.ts'
import { keptDraftRoutes } from './kept-drafts.ts'
import { pinRoutes } from './pins.ts'
import { playgroundRoutes } from './playground.ts'
import { presenceRoutes } from './presence.ts'
import { publishRoutes } from './publish.ts'
import { rehearsalRoutes } from './rehearsal.ts'
import { runNodeRoute } from './run-node.ts'
import { sessionsRoutes } from './sessions.ts'
import { testDraftRoute } from './test-draft.ts'
import { triggerRoute } from './triggers.ts'
import { tryWatchRoute } from './try-watch.ts'

export function flowApi(app: FastifyInstance, parts: ApiParts): void {
  flowRoutes(app, parts)
  draftRoutes(app, parts)
  keptDraftRoutes(app, parts)
  pinRoutes(app, parts)
  publishRoutes(app, parts)
  draftChangesRoute(app, parts)
  testDraftRoute(app, parts)
  rehearsalRoutes(app, parts)
  expectationRoutes(app, parts)
  runNodeRoute(app, parts)
  commentRoutes(app, parts)
  presenceRoutes(app, parts)
  triggerRoute(app, parts)
  tryWatchRoute(app, parts)
  playgroundRoutes(app, parts)
  sessionsRoutes(app, parts)
  chatRoute(app, parts)
  componentRoutes(app, parts)
  importRoutes(app, parts)
  pushRoute(app, parts)
  pullRoute(app, parts)
}
