import { type Command, isEndless, type RemoteName } from '../command.ts'
import { AnswerIsNo, CommandError, type ExitCode } from '../command-error.ts'
import { Api } from './api.ts'
import { findDestination } from './find-destination.ts'
import type { Outside } from './outside.ts'
import { Screen } from './print/screen.ts'
import { harmlessLines } from './print/width.ts'
import { ApiRefusal } from './refusals.ts'
import type { Remote } from './remote.ts'

type Handlers = {
  readonly [Name in RemoteName]: (command: Command<Name>, outside: Outside) => Promise<void>
}

/** Each is loaded when it is asked for. */
const HANDLERS: Handlers = {
  login: async (command, outside) => (await import('./profiles/login.ts')).login(command, outside),
  logout: async (command, outside) =>
    (await import('./profiles/change-profiles.ts')).logout(command, outside),
  profiles: async (command, outside) =>
    (await import('./profiles/change-profiles.ts')).profiles(command, outside),
  complete: async (command, outside) => (await import('./complete.ts')).complete(command, outside),
  import: withService(async () => (await import('./import/import-file.ts')).importFile),
  'flows list': withService(async () => (await import('./flows/list-flows.ts')).listFlows),
  'flows show': withService(async () => (await import('./flows/show-flow.ts')).showFlow),
  'flows export': withService(async () => (await import('./flows/export-flow.ts')).exportFlow),
  'runs list': withService(async () => (await import('./runs/list-runs.ts')).listRuns),
  'runs show': withService(async () => (await import('./runs/show-run.ts')).showRun),
  'runs tail': withService(async () => (await import('./runs/tail-runs.ts')).tailRuns),
  'runs replay': withService(async () => (await import('./runs/start-again.ts')).replayRuns),
  'runs retry': withService(async () => (await import('./runs/start-again.ts')).retryRuns),
  trigger: withService(async () => (await import('./trigger/trigger-flow.ts')).triggerFlow),
  listen: withService(async () => (await import('./listen/listen.ts')).listen),
  'keys list': withService(async () => (await import('./keys/keys.ts')).listKeys),
  'keys create': withService(async () => (await import('./keys/keys.ts')).createKey),
  'keys revoke': withService(async () => (await import('./keys/keys.ts')).revokeKey),
  'connections list': withService(async () => (await import('./connections/connections.ts')).listConnections),
  'connections show': withService(async () => (await import('./connections/connections.ts')).showConnection),
  'connections test': withService(async () => (await import('./connections/connections.ts')).testConnection),
  pull: withService(async () => (await import('./files/pull.ts')).pull),
  push: withService(async () => (await import('./files/push.ts')).push),
  diff: withService(async () => (await import('./files/diff.ts')).diff)
}

/** Does what was typed; what is wrong is told in the way that was asked for. */
export async function runRemote(command: Command<RemoteName>, outside: Outside): Promise<ExitCode> {
  const handler = HANDLERS[command.name] as (command: Command<RemoteName>, outside: Outside) => Promise<void>
  try {
    await handler(command, outside)
    return 0
  } catch (error) {
    if (outside.signal.aborted && !(error instanceof AnswerIsNo)) return isEndless(command.name) ? 0 : 1
    if (!(error instanceof CommandError)) throw error
    if (error instanceof AnswerIsNo) return error.exitCode
    outside.notes.write(
      command.options.json ? `${JSON.stringify(toldAs(error))}\n` : `${harmlessLines(error.message)}\n`
    )
    return error.exitCode
  }
}

function toldAs(error: CommandError) {
  if (!(error instanceof ApiRefusal)) return { error: { code: null, message: error.message } }
  const { code, status, problem } = error
  return { error: { code: code || null, status, message: error.message, errors: problem.errors ?? [] } }
}

function withService<Name extends RemoteName>(
  load: () => Promise<(command: Command<Name>, remote: Remote) => Promise<void>>
): (command: Command<Name>, outside: Outside) => Promise<void> {
  return async (command, outside) => {
    const { options } = command
    const { signal } = outside
    const api = new Api({ ...(await findDestination(options, outside)), signal })
    const screen = new Screen(outside, options.json)
    const handle = await load()
    return handle(command, { api, screen, outside })
  }
}
